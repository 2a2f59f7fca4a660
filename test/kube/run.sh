#!/usr/bin/env bash
# Shows on a real cluster that the chart does what it promises: builds the images, installs from nothing, and scales,
# upgrades, loses pods, rolls back and uninstalls under load. Prints a line for each check and ends with their count.
#   run.sh [--keep]      --keep: leave the release and the databases running
# IMAGES_TAG: images that are loaded already, as TAG and TAG-next; they are built if it is not given.
# KUBE_TOOLS: as in common.sh.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
. "$here/common.sh"
namespace=tallycard-test
release=tallycard
host=tallycard.test
# Of TEST-NET-3, which nobody has.
other_client=203.0.113.77
components_pid= ports=

finish() {
  local status=$?
  if [ "${keep:-}" != yes ] && [ -n "$components_pid" ]; then kill "$components_pid" 2>/dev/null; wait "$components_pid" 2>/dev/null; fi
  [ "${keep:-}" = yes ] || rm -rf "$work"
  exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM
[ "${1:-}" = --keep ] && keep=yes

# ------------------------------------------------------------------------------------------ the cluster and its images
cluster_up

tag=${IMAGES_TAG:-t$(date +%s)}
below_350_mb() {
  local size
  while read -r image; do
    size=$(buildah inspect --type image --format '{{.FromImageID}}' "$image" >/dev/null && buildah images --json "$image" | "$node" -p 'JSON.parse(require("fs").readFileSync(0))[0].size')
    echo "$image $size"
    "$node" -e 'const mb = parseFloat(process.argv[1]) * (/G/.test(process.argv[1]) ? 1000 : 1); process.exit(mb < 350 ? 0 : 1)' "$size" || return 1
  done <"$work/images"
}
if [ -z "${IMAGES_TAG:-}" ]; then
  say "the images"
  check "images are built and loaded" make_images
  check "each image is below 350 MB" below_350_mb
fi

# --------------------------------------------------------------------------------------- what lies outside the cluster
say "databases outside the cluster"
COMPONENTS_HOST=$node_ip DATA_DIR=$work/data "$node" test/kube/components.ts >"$work/components.log" 2>&1 &
components_pid=$!
for _ in $(seq 120); do [ -f "$work/data/components.json" ] && break; sleep 1; done
uri() { "$node" -p "JSON.parse(require('fs').readFileSync('$work/data/components.json')).$1"; }
[ -f "$work/data/components.json" ] || { cat "$work/components.log" >&2; exit 1; }

new_namespace
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=$host" \
  -addext "subjectAltName=DNS:$host" -keyout "$work/tls.key" -out "$work/tls.crt" 2>/dev/null
k create secret tls tallycard-test-tls --cert "$work/tls.crt" --key "$work/tls.key" >/dev/null
k create secret generic mongodb --from-literal=uri="$(uri mongodbUri)" >/dev/null
k create secret generic redis --from-literal=url="$(uri redisUrl)" >/dev/null
k create secret generic kafka --from-literal=brokers="$(uri kafkaBrokers)" >/dev/null
k create secret generic mail --from-literal=url="$(uri smtpUrl)" >/dev/null
k create configmap jobs --from-file="$here/jobs" --from-file=ca.crt="$work/tls.crt" >/dev/null

port() { uri "$1" | grep -oE ':[0-9]+' | tail -n 1 | tr -d :; }
for what in mongodb:mongodbUri redis:redisUrl kafka:kafkaBrokers smtp:smtpUrl; do ports+="networkPolicy.ports.${what%:*}={$(port "${what#*:}")},"; done
install() { helm upgrade --install "$release" charts/tallycard -n "$namespace" -f "$here/values.yaml" --set "$ports" --set image.tag="$tag" --wait --timeout 4m "$@"; }
say "the release"
check "helm install from nothing" install
check "helm test" helm test "$release" -n "$namespace" --timeout 2m
cold_start() { # COMPONENT: what a new pod takes from the start of its process until it is ready
  local pod ms
  k delete "$(k get pods -l app.kubernetes.io/component="$1" -o name | head -n 1)" --wait >/dev/null || return 1
  k rollout status "deploy/$release-$1" --timeout=60s >/dev/null || return 1
  pod=$(k get pods -l app.kubernetes.io/component="$1" --sort-by=.metadata.creationTimestamp -o name | tail -n 1)
  ms=$(k logs "$pod" | grep -om 1 '"startMs":[0-9]*' | tr -dc 0-9)
  echo "$pod is ready after $ms ms"
  [ "$ms" -lt 3000 ]
}
for component in identity loyalty templates giftcards webhooks gateway; do check "$component starts within 3 s" cold_start $component; done
keys() { k get secret $release-caller $release-identity $release-giftcards $release-webhooks -o 'jsonpath={range .items[*]}{.data}{"\n"}{end}'; }
keys_before=$(keys)

# --------------------------------------------------------------------------------------------------- jobs in the cluster
use_release
check "a merchant is made" provision
verify_ledger() { MONGODB_URI=$(uri mongodbUri) MONGODB_DATABASE=tallycard_giftcards "$node" services/giftcards/src/verify-ledger-main.ts; }

start_job journey journey.mjs "https://$host"
check "the main job, through the Ingress with TLS" job_ends_well journey 120

gateways=$(k get pods -l app.kubernetes.io/component=gateway -o 'jsonpath={.items[*].status.podIP}' | tr ' ' ,)
start_job revocation revocation.mjs "$base_url" GATEWAYS="$gateways"
check "every gateway refuses a frozen and a deleted key within a second" job_ends_well revocation 60

# ------------------------------------------------------------------------------------------------ the client's own address
balance_check() { # CARD CURL_OPTION...
  local card=400000000000000$1
  shift
  curl -s -o /dev/null -w '%{http_code}' -m 10 --cacert "$work/tls.crt" --resolve "$host:443:$node_ip" -H 'content-type: application/json' "$@" -d '{"cardNumber":"'"$card"'","securityCode":"000000"}' "https://$host/v2/giftcards/customer/balance-check"
}
real_addresses() {
  local last
  for i in $(seq 6); do last=$(balance_check $i -H "X-Forwarded-For: 198.51.100.$i"); done
  [ "$last" = 429 ] || { echo "six checks from one address ended with $last: a forged X-Forwarded-For is believed"; return 1; }
  # The cluster's bridge hides the addresses of pods from the Ingress; an address of this machine it does not hide.
  ip address replace "$other_client/32" dev lo
  last=$(balance_check 9 --interface "$other_client")
  ip address delete "$other_client/32" dev lo
  [ "$last" = 404 ] || { echo "the first check from another address ended with $last"; return 1; }
}
check "limits count the client's own address, forged headers change nothing" real_addresses

# ------------------------------------------------------------------------------------------------------------- under load
start_job load load.mjs "$base_url" DURATION_S=75 CLIENTS=8 STRICT=true
check "load begins" load_has_begun load
scale() { k scale deploy/$release-giftcards --replicas=3 && k scale deploy/$release-webhooks --replicas=2 && k rollout status deploy/$release-giftcards --timeout=60s && k rollout status deploy/$release-webhooks --timeout=60s; }
check "giftcards to 3 and webhooks to 2 under load" scale
check "the load goes on" still_running load
check "no request failed while scaling" job_ends_well load 180

start_job upgrade load.mjs "https://$host" DURATION_S=280 CLIENTS=8 STRICT=true
check "load begins" load_has_begun upgrade
check "helm upgrade under load" install --set image.tag="$tag-next" --set components.giftcards.replicas=3 --set components.webhooks.replicas=2 --set components.gateway.autoscaling.enabled=true --set components.gateway.autoscaling.maxReplicas=3
autoscaled() { k wait --for=jsonpath='{.status.readyReplicas}'=3 deploy/$release-gateway --timeout=120s || { k describe hpa; return 1; }; }
check "the autoscaler adds a third gateway under load" autoscaled
check "the load goes on" still_running upgrade
check "no request failed in the rolling upgrade, through the Ingress" job_ends_well upgrade 400
check "the ledger is right after it" verify_ledger
same_keys() { [ -n "$keys_before" ] && [ "$(keys)" = "$keys_before" ]; }
check "the generated secrets are kept" same_keys

start_job chaos load.mjs "$base_url" DURATION_S=120 CLIENTS=8 STRICT=false
check "load begins" load_has_begun chaos
kill_pods() {
  local end=$((SECONDS + 115)) pod killed=0
  while [ $SECONDS -lt $end ]; do
    pod=$(k get pods -l app.kubernetes.io/name=tallycard -o name | shuf -n 1)
    k delete "$pod" --grace-period=0 --force --wait=false 2>/dev/null && killed=$((killed + 1))
    sleep $((3 + RANDOM % 5))
  done
  echo "$killed pods killed"
  [ $killed -ge 10 ]
}
check "pods are killed at random for two minutes" kill_pods
check "every transfer was acknowledged in the end" job_ends_well chaos 300
check "the ledger is right after it" verify_ledger

# ------------------------------------------------------------------------------------------------------- keys are changed
set_card_keys() { # RING
  k patch secret "$release-giftcards" --type merge -p "{\"stringData\":{\"CARD_ENCRYPTION_KEYS\":\"$1\"}}" &&
    k rollout restart "deploy/$release-giftcards" && k rollout status "deploy/$release-giftcards" --timeout=90s
}
change_card_key() { # the four steps of docs/operations.md
  local old new
  old=$(k get secret "$release-giftcards" -o 'jsonpath={.data.CARD_ENCRYPTION_KEYS}' | base64 -d)
  new=k2:$(openssl rand -base64 32)
  set_card_keys "$old,$new" && set_card_keys "$new,$old" || return 1
  k exec "deploy/$release-giftcards" -- node services/giftcards/src/reseal-main.ts || return 1
  set_card_keys "$new"
}
start_job rekey load.mjs "$base_url" DURATION_S=90 CLIENTS=4 STRICT=true
check "load begins" load_has_begun rekey
check "the key that cards are sealed with is changed under load" change_card_key
check "no request failed meanwhile" job_ends_well rekey 200
start_job unsealed journey.mjs "https://$host"
check "the main job with the new key alone" job_ends_well unsealed 120
keys_before=$(keys)

# ------------------------------------------------------------------------------------------------------------ back and out
check "helm rollback" helm rollback "$release" 1 -n "$namespace" --wait --timeout 4m
check "the secrets are as they were changed to" same_keys
check "helm test after it" helm test "$release" -n "$namespace" --timeout 2m
if [ "${keep:-}" != yes ]; then
  check "helm uninstall" helm uninstall "$release" -n "$namespace" --wait --timeout 2m
  only_data() {
    local left
    k wait pod -l app.kubernetes.io/instance=$release --for=delete --timeout=60s
    left=$(k get all,ingress,networkpolicy,pdb,hpa,configmap,serviceaccount,secret,pvc -l app.kubernetes.io/instance=$release -o name | sort | tr '\n' ' ')
    echo "left: $left"
    [ "$left" = "secret/$release-caller secret/$release-giftcards secret/$release-identity secret/$release-webhooks " ]
  }
  check "it leaves the secrets that the data is sealed with, and nothing else" only_data
fi
summary
