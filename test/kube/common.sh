# What the scripts for the cluster share. They source it in the project's root, and set `namespace`, `release`
# and `tag`, that of the images.
# KUBE_TOOLS: folder with kube-up.sh, ingress-up.sh and load-image.sh of the cluster.
tools=${KUBE_TOOLS:-../shared/tools/kube}
node=node_modules/.bin/node
work=$(mktemp -d)
passed=0 failed=0

say() { printf '%s  %s\n' "$(date +%H:%M:%S)" "$*" >&2; }
check() { # WHAT COMMAND...
  local what=$1 out started=$SECONDS
  shift
  if out=$("$@" 2>&1); then
    passed=$((passed + 1)) && echo "ok    $what ($((SECONDS - started)) s)"
  else
    failed=$((failed + 1)) && echo "FAIL  $what" && sed 's/^/      /' <<<"$out" | tail -n 30
  fi
}
summary() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
k() { kubectl -n "$namespace" "$@"; }

cluster_up() { # sets node_ip, which answers
  say "the cluster"
  "$tools/kube-up.sh" && "$tools/ingress-up.sh" || exit 1
  eval "$(bash -c '. "$1/lib.sh"; echo "export KUBECONFIG=$KUBECONFIG_OUT PATH=$KUBE_BIN:\$PATH"' sh "$tools")"
  node_ip=$(kubectl get nodes -o 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}')
  curl -s -m 3 -o /dev/null "http://$node_ip/" || { echo "the node does not answer at its address" >&2; exit 1; }
}
new_namespace() {
  kubectl delete namespace "$namespace" --ignore-not-found --wait >/dev/null 2>&1
  kubectl create namespace "$namespace" >/dev/null
  kubectl label namespace "$namespace" pod-security.kubernetes.io/enforce=restricted >/dev/null
}
load_image() { # IMAGE LOAD_IMAGE_OPTION...
  local image=$1
  shift
  buildah push --quiet "$image" "docker-archive:$work/image.tar:$image" && "$tools/load-image.sh" "$work/image.tar" "$@" || return 1
  rm "$work/image.tar"
}
make_images() { # of all components, loaded as $tag and $tag-next; their names are in $work/images
  test/kube/build-images.sh "$tag" >"$work/images" || return 1
  while read -r image; do load_image "$image" --tag "${image%:*}:$tag-next" || return 1; done <"$work/images"
}

use_release() { # of $release: sets base_url, at which the gateway answers inside the cluster
  base_url=http://$(k get svc "$release-gateway" -o 'jsonpath={.spec.clusterIP}')
}
provision() { # makes the merchant that jobs act for
  local identity_ip
  identity_ip=$(k get pod -l app.kubernetes.io/component=identity -o 'jsonpath={.items[0].status.podIP}')
  BASE_URL=$base_url IDENTITY_ADDR=$identity_ip:50051 \
    CALLER_SECRET=$(k get secret $release-caller -o 'jsonpath={.data.CALLER_SECRET}' | base64 -d) \
    "$node" test/kube/provision.ts >"$work/merchant.json"
}
merchant() { "$node" -p "JSON.parse(require('fs').readFileSync('$work/merchant.json')).$1"; }

start_job() { # NAME SCRIPT BASE_URL [NAME=VALUE...]: of the configmap `jobs`
  local name=$1 script=$2 url=$3 env=
  shift 3
  for pair in "$@"; do env+="
            - {name: ${pair%%=*}, value: \"${pair#*=}\"}"; done
  k delete job "$name" --ignore-not-found --wait >/dev/null
  k apply -f - >/dev/null <<EOF
apiVersion: batch/v1
kind: Job
metadata: {name: $name}
spec:
  backoffLimit: 0
  activeDeadlineSeconds: 600
  template:
    metadata: {labels: {app: tallycard-load}}
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      hostAliases: [{ip: "$node_ip", hostnames: [tallycard.test]}]
      securityContext: {runAsNonRoot: true, runAsUser: 65532, seccompProfile: {type: RuntimeDefault}}
      containers:
        - name: job
          image: localhost/tallycard-gateway:$tag
          imagePullPolicy: Never
          command: [node, /jobs/$script]
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          env:
            - {name: BASE_URL, value: "$url"}
            - {name: TOKEN, value: "$(merchant accessToken)"}
            - {name: PROGRAM_ID, value: "$(merchant programId)"}
            - {name: NODE_EXTRA_CA_CERTS, value: /jobs/ca.crt}$env
          volumeMounts: [{name: jobs, mountPath: /jobs}]
      volumes: [{name: jobs, configMap: {name: jobs}}]
EOF
}
job_ends_well() { # NAME SECONDS
  local end=$((SECONDS + $2)) state
  while [ $SECONDS -lt $end ]; do
    state=$(k get job "$1" -o 'jsonpath={.status.succeeded}/{.status.failed}')
    case "$state" in 1/*) k logs "job/$1" | tail -n 1; return 0 ;; */1) k logs "job/$1" | tail -n 25; return 1 ;; esac
    sleep 1
  done
  k logs "job/$1" | tail -n 25
  return 1
}
still_running() { [ "$(k get job "$1" -o 'jsonpath={.status.active}')" = 1 ] || { echo "the load was over before"; return 1; }; }
load_has_begun() { for _ in $(seq 60); do k logs "job/$1" 2>/dev/null | grep -q 'load begins' && return 0; sleep 1; done; k describe "job/$1"; k logs "job/$1"; return 1; }
