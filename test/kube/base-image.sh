#!/usr/bin/env bash
# Makes the base image for machines that can pull none: a small Debian and the Node that package.json pins, with npm.
#   base-image.sh NAME:TAG
# Needs root, debootstrap and buildah.
set -euo pipefail
tag=${1:?usage: base-image.sh NAME:TAG}
cd "$(dirname "$0")/../.."
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >&2
# What a container has no use for.
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale,info,lintian}/* "$root"/var/log/*

install -D -m 755 "$(node_modules/.bin/node -p process.execPath)" "$root/usr/local/bin/node"
npm_home=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
mkdir -p "$root/usr/local/lib/node_modules"
cp -a "$npm_home" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"

container=$(buildah from scratch)
buildah add --quiet "$container" "$root" / >/dev/null
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit --quiet "$container" "$tag" >/dev/null
buildah rm "$container" >/dev/null
echo "$tag"
