{{/* Values that contradict each other, or are no more, fail with what to do. */}}
{{- define "tallycard.validate" -}}
{{- include "tallycard.validateMoved" . -}}
{{- $known := splitList " " (printf "gateway %s" (include "tallycard.services" .)) -}}
{{- range $name, $_ := .Values.components -}}
{{- if not (has $name $known) -}}
{{- fail (printf "\n\ncomponents.%s: there is no such component. There are: %s." $name (join ", " $known)) -}}
{{- end -}}
{{- end -}}
{{- range $name := $known -}}
{{- if not (hasKey $.Values.components $name) -}}
{{- fail (printf "\n\ncomponents.%s is missing: do not set it to null; `components.%s.replicas: 0` stops it." $name $name) -}}
{{- end -}}
{{- end -}}
{{- if not .Values.trial.enabled -}}
{{- $help := "or set trial.enabled=true to try Tallycard with databases in the cluster that are not meant for production" -}}
{{- range splitList " " (include "tallycard.services" .) -}}
{{- if not (or (get $.Values.components .).mongodb.existingSecret $.Values.mongodb.existingSecret) -}}
{{- fail (printf "\n\ncomponents.%s.mongodb.existingSecret (or mongodb.existingSecret) is needed: create a secret whose key `uri` is a MongoDB connection string, for example\n  kubectl create secret generic tallycard-mongodb --from-literal=uri='mongodb://…'\nand name it, %s." . $help) -}}
{{- end -}}
{{- end -}}
{{- if not .Values.redis.existingSecret -}}
{{- fail (printf "\n\nredis.existingSecret is needed: create a secret whose key `url` is a Redis URL and name it, %s." $help) -}}
{{- end -}}
{{- if not .Values.kafka.existingSecret -}}
{{- fail (printf "\n\nkafka.existingSecret is needed: create a secret whose key `brokers` lists host:port with commas and name it, %s." $help) -}}
{{- end -}}
{{- if not .Values.mail.existingSecret -}}
{{- fail (printf "\n\nmail.existingSecret is needed: create a secret whose key `url` is an smtp:// or smtps:// URL and name it, %s." $help) -}}
{{- end -}}
{{- end -}}
{{- if not .Values.secrets.generate -}}
{{- range $path, $name := dict "secrets.caller" .Values.secrets.caller.existingSecret "components.identity" .Values.components.identity.existingSecret "components.giftcards" .Values.components.giftcards.existingSecret "components.webhooks" .Values.components.webhooks.existingSecret -}}
{{- if not $name -}}
{{- fail (printf "\n\n%s.existingSecret is needed, because secrets.generate is off. Its keys are told in values.yaml." $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.kafka.saslMechanism (not .Values.kafka.existingSecret) -}}
{{- fail "\n\nkafka.existingSecret is needed when kafka.saslMechanism is given: the Kafka of a trial knows no users. Its keys are `brokers`, `username` and `password`." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "\n\ningress.host is needed when ingress.enabled is true: the name that clients use." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (or (not .Values.httpRoute.host) (not .Values.httpRoute.parentRefs)) -}}
{{- fail "\n\nhttpRoute.host and httpRoute.parentRefs are needed when httpRoute.enabled is true." -}}
{{- end -}}
{{- if and .Values.ingress.enabled .Values.httpRoute.enabled -}}
{{- fail "\n\ningress.enabled and httpRoute.enabled are both true: choose one." -}}
{{- end -}}
{{- range $name := $known -}}
{{- $scope := dict "root" $ "component" $name -}}
{{- $values := include "tallycard.component" $scope | fromYaml -}}
{{- if and $values.autoscaling.enabled (gt (int $values.autoscaling.minReplicas) (int $values.autoscaling.maxReplicas)) -}}
{{- fail (printf "\n\ncomponents.%s.autoscaling: minReplicas (%v) is more than maxReplicas (%v): raise maxReplicas." $name $values.autoscaling.minReplicas $values.autoscaling.maxReplicas) -}}
{{- end -}}
{{- range list "name" "instance" "component" -}}
{{- $label := printf "app.kubernetes.io/%s" . -}}
{{- if hasKey $values.podLabels $label -}}
{{- fail (printf "\n\ncomponents.%s.podLabels: %s is what the chart finds its pods by: choose another label." $name $label) -}}
{{- end -}}
{{- end -}}
{{- $stop := include "tallycard.stopMs" (dict "component" $name "extraEnv" $values.extraEnv) | int -}}
{{- if gt $stop (mul 1000 (int $values.terminationGracePeriodSeconds)) -}}
{{- fail (printf "\n\ncomponents.%s: a stop may take %d ms (STOP_DRAIN_MS and ANSWER_TIMEOUT_MS of extraEnv, and 3 s), and the pod is killed after terminationGracePeriodSeconds (%v): raise that." $name $stop $values.terminationGracePeriodSeconds) -}}
{{- end -}}
{{- $own := include "tallycard.env" (set $scope "values" (dict)) | fromYamlArray -}}
{{- range $values.extraEnv -}}
{{- $extra := .name -}}
{{- range $own -}}
{{- if eq .name $extra -}}
{{- fail (printf "\n\ncomponents.%s.extraEnv: %s is set by the chart already: change the value that it comes from." $name $extra) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* How long a stop may take, ms: as gateway/src/app.ts and services/platform/src/run.ts have it. Takes {component, extraEnv}. */}}
{{- define "tallycard.stopMs" -}}
{{- if eq .component "gateway" -}}
{{- $ms := dict "STOP_DRAIN_MS" 5000 "ANSWER_TIMEOUT_MS" 20000 -}}
{{- range .extraEnv -}}
{{- if and .value (hasKey $ms .name) -}}{{- $_ := set $ms .name (int .value) -}}{{- end -}}
{{- end -}}
{{- add $ms.STOP_DRAIN_MS $ms.ANSWER_TIMEOUT_MS 3000 -}}
{{- else -}}
28000
{{- end -}}
{{- end -}}

{{/* Where values belong that other charts have elsewhere. A connection string may hold a password, so it is never a value. */}}
{{- define "tallycard.validateMoved" -}}
{{- $moved := dict
  "replicaCount" "use defaults.replicas, or components.<name>.replicas"
  "replicas" "use defaults.replicas, or components.<name>.replicas"
  "resources" "use defaults.resources, or components.<name>.resources"
  "autoscaling" "use defaults.autoscaling, or components.<name>.autoscaling"
  "extraEnv" "use defaults.extraEnv, or components.<name>.extraEnv"
  "nodeSelector" "use defaults.nodeSelector, or components.<name>.nodeSelector"
  "tolerations" "use defaults.tolerations, or components.<name>.tolerations"
  "affinity" "use defaults.affinity, or components.<name>.affinity"
  "imagePullSecrets" "use image.pullSecrets"
  "image.name" "images are called <image.registry>/<image.repository>-<component>: use image.repository"
  "ingress.hosts" "use ingress.host, a single name"
  "mongodb.uri" "put it into a secret with the key `uri` and name that in mongodb.existingSecret"
  "redis.url" "put it into a secret with the key `url` and name that in redis.existingSecret"
  "kafka.brokers" "put them into a secret with the key `brokers` and name that in kafka.existingSecret"
  "mail.url" "put it into a secret with the key `url` and name that in mail.existingSecret"
-}}
{{- range splitList " " (printf "gateway %s" (include "tallycard.services" .)) -}}
{{- $_ := set $moved . (printf "use components.%s" .) -}}
{{- $_ := set $moved (printf "components.%s.mongodb.uri" .) (printf "put it into a secret with the key `uri` and name that in components.%s.mongodb.existingSecret" .) -}}
{{- end -}}
{{- range $path, $advice := $moved -}}
{{- $at := $.Values -}}
{{- range splitList "." $path -}}
{{- if kindIs "map" $at -}}{{- $at = get $at . -}}{{- else -}}{{- $at = "" -}}{{- end -}}
{{- end -}}
{{- if $at -}}
{{- fail (printf "\n\n%s is no value of this chart: %s." $path $advice) -}}
{{- end -}}
{{- end -}}
{{- end -}}
