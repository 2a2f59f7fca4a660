#!/usr/bin/env bash
# Makes images that stand in for the official ones of a trial, for machines that can pull none: what `npm start` has
# installed, behind the same names, entrypoints and paths. Kafka and Redis are the real ones; MongoDB is SecantusDB
# with the real mongosh.
#   stand-ins.sh        prints the names of the images
# Needs root, buildah, a JDK, and one earlier `npm start`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
cache=${TALLYCARD_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tallycard}
base=localhost/tallycard-base:node-$(node_modules/.bin/node -p process.version)
buildah inspect "$base" >/dev/null 2>&1 || "$here/base-image.sh" "$base" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
one() { [ -e "$1" ] || { echo "$1 is not there: run npm start once" >&2; return 1; }; echo "$1"; }

image() { # NAME FOLDER BUILDAH_CONFIG_OPTION...
  local name=$1 folder=$2 container
  shift 2
  container=$(buildah from "$base")
  buildah add --quiet "$container" "$folder" / >/dev/null
  buildah config "$@" "$container"
  buildah commit --quiet --format docker "$container" "$name" >/dev/null
  buildah rm "$container" >/dev/null
  echo "$name"
}

# redis:7.4
cp -a "$(one "$cache"/redis-debian-*/root)" "$work/redis"
# A folder in the place of the link from /lib to /usr/lib would hide the system's own.
cp -a "$work/redis/lib/." "$work/redis/usr/lib/" && rm -r "$work/redis/lib"
libraries=$work/redis/usr/lib/x86_64-linux-gnu
LD_LIBRARY_PATH=$libraries ldd "$work/redis/usr/bin/redis-server" | awk '$3 ~ "^/" && $3 !~ "libc.so|libm.so" { print $3 }' | xargs cp -nLt "$libraries"
mkdir "$work/redis/data"
image docker.io/library/redis:7.4 "$work/redis" --workingdir /data --cmd redis-server

# mongo:8.0, whose entrypoint puts mongod before options
mkdir -p "$work/mongo/usr/local/bin" "$work/mongo/data/db"
cp "$(one "$cache"/secantus-mdb-*/bin/secantusd-rs)" "$work/mongo/usr/local/bin/"
npm install --prefix "$work/mongo/opt/mongosh" --no-audit --no-fund --no-save --silent mongosh >&2
printf '#!/bin/sh\nexec node /opt/mongosh/node_modules/mongosh/bin/mongosh.js "$@"\n' >"$work/mongo/usr/local/bin/mongosh"
cat >"$work/mongo/usr/local/bin/docker-entrypoint.sh" <<'SH'
#!/bin/sh
# Knows the options of a trial only, so that one that mongod does not know is noticed at least as missing here.
while [ $# -gt 0 ]; do
  case "$1" in
    --replSet | --wiredTigerCacheSizeGB) shift 2 ;;
    --bind_ip_all) shift ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
  esac
done
exec secantusd-rs --sync-on-commit --cache-size 256M --log-level WARNING --storage-path /data/db --host 0.0.0.0
SH
chmod 755 "$work/mongo/usr/local/bin/"*
image docker.io/library/mongo:8.0 "$work/mongo" --entrypoint '["/usr/local/bin/docker-entrypoint.sh"]' --cmd mongod

# apache/kafka:4.1.0, whose settings Kafka's own wrapper makes of the environment
mkdir -p "$work/kafka/opt/kafka/config" "$work/kafka/etc/kafka/docker" "$work/kafka/mnt/shared/config" "$work/kafka/var/lib/kafka/data"
cp -a "$(one "$cache"/kafka-4.1.0/libs)" "$work/kafka/opt/kafka/libs"
jlink --add-modules java.base,java.desktop,java.logging,java.management,java.management.rmi,java.naming,java.security.jgss,java.security.sasl,java.sql,jdk.management,jdk.unsupported,jdk.zipfs \
  --strip-debug --no-man-pages --no-header-files --output "$work/kafka/opt/java" >&2
printf 'process.roles=broker,controller\n' >"$work/kafka/etc/kafka/docker/server.properties"
cat >"$work/kafka/etc/kafka/docker/run" <<'SH'
#!/bin/sh
set -f
java="/opt/java/bin/java ${KAFKA_HEAP_OPTS:--Xmx1G -Xms1G} -XX:+UseSerialGC -cp /opt/kafka/libs/*"
result=$($java kafka.docker.KafkaDockerWrapper setup --default-configs-dir /etc/kafka/docker --mounted-configs-dir /mnt/shared/config --final-configs-dir /opt/kafka/config 2>&1) ||
  echo "$result" | grep -i 'already formatted' || { echo "$result"; exit 1; }
exec $java kafka.Kafka /opt/kafka/config/server.properties
SH
chmod 755 "$work/kafka/etc/kafka/docker/run"
# As the official image lets its user 1000.
chmod 777 "$work/kafka/opt/kafka/config"
image docker.io/apache/kafka:4.1.0 "$work/kafka" --entrypoint '[]' --cmd /etc/kafka/docker/run
