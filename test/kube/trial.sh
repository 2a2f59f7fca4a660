#!/usr/bin/env bash
# Shows on a real cluster that a trial works: the chart with databases of its own, which keep their data when their pods
# go. Where no image can be pulled, stand-ins.sh makes what stands in for those of the databases.
#   trial.sh [--keep]    --keep: leave the release running
# IMAGES_TAG: Tallycard's images that are loaded already, as TAG and TAG-next; they are built if it is not given.
# DATABASE_IMAGES=there: those of the databases are loaded, or the cluster pulls the official ones.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
. "$here/common.sh"
namespace=tallycard-trial
release=tallycard
trap 'rm -rf "$work"' EXIT

cluster_up
tag=${IMAGES_TAG:-t$(date +%s)}
if [ -z "${IMAGES_TAG:-}" ]; then check "images are built and loaded" make_images; fi
stand_ins() {
  local image
  "$here/stand-ins.sh" >"$work/stand-ins" || return 1
  while read -r image; do load_image "$image" || return 1; done <"$work/stand-ins"
}
[ "${DATABASE_IMAGES:-}" = there ] || check "the databases' images are made and loaded" stand_ins

new_namespace
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=unused -keyout "$work/tls.key" -out "$work/tls.crt" 2>/dev/null
k create configmap jobs --from-file="$here/jobs" --from-file=ca.crt="$work/tls.crt" >/dev/null
install() { helm upgrade --install "$release" charts/tallycard -n "$namespace" --set trial.enabled=true,image.registry=localhost,image.tag="$tag",defaults.resources.requests.cpu=10m --wait --timeout 6m "$@"; }
check "helm install from nothing, with trial.enabled" install
check "helm test" helm test "$release" -n "$namespace" --timeout 2m

use_release
check "a merchant is made" provision
start_job journey journey.mjs "$base_url"
check "the main job" job_ends_well journey 120
mail_is_written() { # into a file of one of identity's pods, because no mail server is given
  local pod body='{"email":"ada@shop-example.org","passwordHash":"0123456789abcdef","name":"Ada","company":"Shop","country":"GB","consent":{"tosAt":"2026-11-21T10:00:00Z","dpaAt":"2026-11-21T10:00:00Z","privacyAt":"2026-11-21T10:00:00Z"}}'
  curl -s -m 10 -H 'content-type: application/json' -d "$body" "$base_url/v2/signup/pending" && echo
  for _ in $(seq 20); do
    for pod in $(k get pods -l app.kubernetes.io/component=identity -o name); do
      k exec "$pod" -- sh -c 'grep -l "To: .*ada@shop-example.org" /tmp/mail/*.eml' 2>/dev/null && return 0
    done
    sleep 1
  done
  return 1
}
check "the mail of a sign-up is written into a file" mail_is_written

new_pod() { k delete pod "$release-$1-0" --wait >/dev/null && k rollout status "statefulset/$release-$1" --timeout=120s; }
for database in mongodb redis kafka; do check "$database comes back after its pod is gone" new_pod $database; done
check "the services are ready again" k wait --for=condition=Available deploy --all --timeout=120s
start_job again journey.mjs "$base_url"
check "the merchant and its program are still there, and the main job works" job_ends_well again 120

check "helm upgrade" install --set image.tag="$tag-next"
check "helm test after it" helm test "$release" -n "$namespace" --timeout 2m
# ------------------------------------------------------------------------------------- Gateway API, in place of an Ingress
crds() { # as the Go module has them
  local dir
  dir=$(go mod download -json sigs.k8s.io/gateway-api@v1.6.1 | "$node" -p 'JSON.parse(require("fs").readFileSync(0)).Dir') || return 1
  kubectl apply --server-side -f "$dir/config/crd/standard" && kubectl wait --for=condition=Established crd/httproutes.gateway.networking.k8s.io --timeout=30s
}
controller() { # the program that serves Ingresses on this cluster can serve routes too
  local image
  image=$(kubectl -n ingress-nginx get deploy traefik -o 'jsonpath={.spec.template.spec.containers[0].image}')
  sed -e "s|@IMAGE@|$image|" -e "s|@NAMESPACE@|$namespace|" "$here/gateway-api.yaml" | k apply -f - && k rollout status deploy/gateway-controller --timeout=60s
}
route=(--set httpRoute.enabled=true,httpRoute.host=shop.test --set 'httpRoute.parentRefs[0].name=outside')
accepted() { k wait --for=jsonpath='{.status.parents[0].conditions[?(@.type=="Accepted")].status}'=True "httproute/$release" --timeout=60s; }
through_the_route() { # HOST STATUS
  local address answer
  address=$(k get svc gateway-controller -o 'jsonpath={.spec.clusterIP}')
  for _ in $(seq 20); do
    answer=$(curl -s -m 5 -o /dev/null -w '%{http_code}' -H "Host: $1" -H "Authorization: Bearer $(merchant accessToken)" "http://$address/v2/token")
    [ "$answer" = "$2" ] && return 0
    sleep 1
  done
  echo "$1 answers $answer"
  return 1
}
check "the Gateway API's definitions and a controller" eval "crds && controller"
check "helm upgrade with httpRoute.enabled" install --set image.tag="$tag-next" "${route[@]}"
check "the route is accepted" accepted
check "a request through the route" through_the_route shop.test 200
check "another host is not served" through_the_route other.test 404
check "helm upgrade without the route" install --set image.tag="$tag-next"
check "the host is not served any more" through_the_route shop.test 404
sed -e 's|@IMAGE@|none|' -e "s|@NAMESPACE@|$namespace|" "$here/gateway-api.yaml" | k delete --ignore-not-found -f - >/dev/null

if [ "${1:-}" != --keep ]; then
  check "helm uninstall" helm uninstall "$release" -n "$namespace" --wait --timeout 2m
  kubectl delete namespace "$namespace" --wait >/dev/null
fi
summary
