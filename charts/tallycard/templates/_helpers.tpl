{{/* Names */}}
{{- define "tallycard.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "tallycard.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "tallycard.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "tallycard.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* What selects a release's pods; with `component` those of one component. Takes {root, component?}. */}}
{{- define "tallycard.selector" -}}
app.kubernetes.io/name: {{ include "tallycard.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "tallycard.labels" -}}
{{ include "tallycard.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: tallycard
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The values of one component: the defaults with its own on top, as YAML. Takes {root, component}. */}}
{{- define "tallycard.component" -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (get .root.Values.components .component)) | toYaml -}}
{{- end -}}

{{- define "tallycard.image" -}}
{{- $image := .root.Values.image -}}
{{- with $image.registry }}{{ trimSuffix "/" . }}/{{ end -}}
{{ $image.repository }}-{{ .component }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{- define "tallycard.serviceAccountName" -}}
{{- .values.serviceAccount.name | default (printf "%s-%s" (include "tallycard.fullname" .root) .component) -}}
{{- end -}}

{{/* Which services there are besides the gateway, and which of them use what. */}}
{{- define "tallycard.services" -}}identity loyalty templates giftcards webhooks{{- end -}}
{{- define "tallycard.usesRedis" -}}{{- has . (list "gateway" "identity" "giftcards") | ternary "yes" "" -}}{{- end -}}
{{- define "tallycard.usesKafka" -}}{{- has . (list "identity" "giftcards" "webhooks") | ternary "yes" "" -}}{{- end -}}
{{- define "tallycard.sendsMail" -}}{{- has . (list "identity") | ternary "yes" "" -}}{{- end -}}
{{- define "tallycard.reachesOut" -}}{{- has . (list "templates" "webhooks") | ternary "yes" "" -}}{{- end -}}

{{/* The address that clients use. */}}
{{- define "tallycard.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{- trimSuffix "/" .Values.publicUrl -}}
{{- else if and .Values.ingress.enabled .Values.ingress.tls.secretName -}}
https://{{ .Values.ingress.host }}
{{- else if .Values.ingress.enabled -}}
http://{{ .Values.ingress.host }}
{{- else if .Values.httpRoute.enabled -}}
https://{{ .Values.httpRoute.host }}
{{- else -}}
http://{{ include "tallycard.fullname" . }}-gateway.{{ .Release.Namespace }}.svc
{{- end -}}
{{- end -}}

{{- define "tallycard.trustProxy" -}}
{{- if ne (toString .Values.trustProxy) "" -}}
{{- .Values.trustProxy -}}
{{- else if or .Values.ingress.enabled .Values.httpRoute.enabled -}}
1
{{- end -}}
{{- end -}}

{{/* Secrets that the chart makes are called `<fullname>-<what>`. Takes {root, existing, what}. */}}
{{- define "tallycard.secretName" -}}
{{- .existing | default (printf "%s-%s" (include "tallycard.fullname" .root) .what) -}}
{{- end -}}

{{- define "tallycard.mongodbSecret" -}}
{{- $own := (get .root.Values.components .component).mongodb.existingSecret | default .root.Values.mongodb.existingSecret -}}
{{- include "tallycard.secretName" (dict "root" .root "existing" $own "what" "trial") -}}
{{- end -}}

{{/* The part of a pod's security that all containers share. */}}
{{- define "tallycard.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "tallycard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{/* Where a pod that is no component's runs, and with what it pulls: as the components do by default. May be empty. */}}
{{- define "tallycard.jobPlacement" -}}
{{- $defaults := .Values.defaults -}}
{{- $placement := dict "imagePullSecrets" .Values.image.pullSecrets "priorityClassName" $defaults.priorityClassName "nodeSelector" $defaults.nodeSelector "tolerations" $defaults.tolerations -}}
{{- range $field, $value := $placement }}
{{- if $value }}
{{ dict $field $value | toYaml }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The group as which a component consumes events, if it does. More pods of it have less each to do, up to one for each partition. */}}
{{- define "tallycard.consumerGroup" -}}
{{- get (dict "identity" "identity-audit" "webhooks" "webhooks") . -}}
{{- end -}}
