#!/usr/bin/env bash
# Builds the images of all components with buildah, which needs no engine.
#   build-images.sh TAG [COMPONENT…]     images are called localhost/tallycard-<component>:TAG
# BASE_IMAGE: what they stand on; made by base-image.sh if not given.
set -euo pipefail
tag=${1:?usage: build-images.sh TAG [COMPONENT…]}
shift
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
components=("$@")
[ ${#components[@]} -gt 0 ] || components=(gateway identity loyalty templates giftcards webhooks)

if [ -z "${BASE_IMAGE:-}" ]; then
  BASE_IMAGE=localhost/tallycard-base:node-$(node_modules/.bin/node -p process.version)
  buildah inspect "$BASE_IMAGE" >/dev/null 2>&1 || "$here/base-image.sh" "$BASE_IMAGE" >&2
fi

# The build reaches the package registry as this machine does: by its npm settings and its certificates.
reach=(--volume /etc/ssl/certs:/etc/ssl/certs:ro)
user=$(npm config get userconfig 2>/dev/null)
global=$(npm config get globalconfig 2>/dev/null)
[ ! -f "$user" ] || reach+=(--volume "$user:/root/.npmrc:ro")
[ ! -f "$global" ] || reach+=(--volume "$global:/usr/local/etc/npmrc:ro")

for component in "${components[@]}"; do
  echo "building $component" >&2
  buildah build --quiet --layers --format docker --isolation chroot --network host "${reach[@]}" \
    --build-arg BASE_IMAGE="$BASE_IMAGE" --target "$component" --tag "localhost/tallycard-$component:$tag" . >/dev/null
  echo "localhost/tallycard-$component:$tag"
done
