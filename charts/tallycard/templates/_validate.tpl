{{/* Values that contradict each other, or are no more, fail with what to do. */}}
{{- define "tallycard.validate" -}}
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
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "\n\ningress.host is needed when ingress.enabled is true: the name that clients use." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (or (not .Values.httpRoute.host) (not .Values.httpRoute.parentRefs)) -}}
{{- fail "\n\nhttpRoute.host and httpRoute.parentRefs are needed when httpRoute.enabled is true." -}}
{{- end -}}
{{- if and .Values.ingress.enabled .Values.httpRoute.enabled -}}
{{- fail "\n\ningress.enabled and httpRoute.enabled are both true: choose one." -}}
{{- end -}}
{{- end -}}
