{{/* A variable from a secret. Takes {name, secret, key, optional?}. */}}
{{- define "tallycard.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{/* What a component is told. Takes {root, component, values}. */}}
{{- define "tallycard.env" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $fullname := include "tallycard.fullname" $root -}}
{{- $trial := printf "%s-trial" $fullname -}}
- name: LOG_LEVEL
  value: {{ $root.Values.logLevel | quote }}
- name: MALLOC_ARENA_MAX
  value: "1"
{{- with $root.Values.otlpEndpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . | quote }}
- name: OTEL_SERVICE_NAME
  value: tallycard-{{ $component }}
{{- end }}
{{ include "tallycard.secretEnv" (dict "name" "CALLER_SECRET" "key" "CALLER_SECRET" "secret" (include "tallycard.secretName" (dict "root" $root "existing" $root.Values.secrets.caller.existingSecret "what" "caller"))) }}
{{- if include "tallycard.usesRedis" $component }}
{{- $redis := include "tallycard.secretName" (dict "root" $root "existing" $root.Values.redis.existingSecret "what" "trial") }}
{{- if and (eq $component "giftcards") $root.Values.redis.locksExistingSecret }}
{{- $redis = $root.Values.redis.locksExistingSecret }}
{{- end }}
{{ include "tallycard.secretEnv" (dict "name" "REDIS_URL" "key" (ternary "url" "redis-url" (ne $redis $trial)) "secret" $redis) }}
{{- end }}
{{- if include "tallycard.usesKafka" $component }}
{{- $kafka := include "tallycard.secretName" (dict "root" $root "existing" $root.Values.kafka.existingSecret "what" "trial") }}
{{ include "tallycard.secretEnv" (dict "name" "KAFKA_BROKERS" "key" (ternary "brokers" "kafka-brokers" (ne $kafka $trial)) "secret" $kafka) }}
- name: KAFKA_PREFIX
  value: {{ $root.Values.kafka.prefix | quote }}
- name: KAFKA_TLS
  value: {{ $root.Values.kafka.tls | quote }}
{{- with $root.Values.kafka.saslMechanism }}
- name: KAFKA_SASL_MECHANISM
  value: {{ . | quote }}
{{ include "tallycard.secretEnv" (dict "name" "KAFKA_USERNAME" "key" "username" "secret" $kafka) }}
{{ include "tallycard.secretEnv" (dict "name" "KAFKA_PASSWORD" "key" "password" "secret" $kafka) }}
{{- end }}
{{- end }}
{{- if eq $component "gateway" }}
- name: PORT
  value: "8080"
- name: PUBLIC_URL
  value: {{ include "tallycard.publicUrl" $root | quote }}
- name: TRUST_PROXY
  value: {{ include "tallycard.trustProxy" $root | quote }}
- name: CORS_ORIGINS
  value: {{ $root.Values.corsOrigins | quote }}
{{- range splitList " " (include "tallycard.services" $root) }}
- name: {{ upper . }}_ADDR
  value: {{ printf "dns:///%s-%s:50051" $fullname . | quote }}
{{- end }}
{{- else }}
{{- $mongodb := include "tallycard.mongodbSecret" (dict "root" $root "component" $component) }}
{{ include "tallycard.secretEnv" (dict "name" "MONGODB_URI" "key" (ternary "uri" "mongodb-uri" (ne $mongodb $trial)) "secret" $mongodb) }}
- name: MONGODB_DATABASE
  value: {{ printf "%s_%s" $root.Values.mongodb.databasePrefix $component | quote }}
{{- $own := include "tallycard.ownSecrets" $component }}
{{- range (splitList " " $own) }}
{{- if . }}
{{ include "tallycard.secretEnv" (dict "name" . "key" . "secret" (include "tallycard.secretName" (dict "root" $root "existing" (get $root.Values.components $component).existingSecret "what" $component))) }}
{{- end }}
{{- end }}
{{- if eq $component "identity" }}
{{ include "tallycard.secretEnv" (dict "name" "JWT_FORMER_PUBLIC_KEYS" "key" "JWT_FORMER_PUBLIC_KEYS" "optional" true "secret" (include "tallycard.secretName" (dict "root" $root "existing" $root.Values.components.identity.existingSecret "what" $component))) }}
{{- end }}
{{- if include "tallycard.sendsMail" $component }}
- name: PUBLIC_URL
  value: {{ include "tallycard.publicUrl" $root | quote }}
- name: MAIL_FROM
  value: {{ $root.Values.mail.from | quote }}
{{- if $root.Values.mail.existingSecret }}
{{ include "tallycard.secretEnv" (dict "name" "SMTP_URL" "key" "url" "secret" $root.Values.mail.existingSecret) }}
{{- else }}
- name: MAIL_DIR
  value: /tmp/mail
{{- end }}
{{- end }}
{{- end }}
{{- with .values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The secrets that only one component sees. */}}
{{- define "tallycard.ownSecrets" -}}
{{- $own := dict "identity" "JWT_PRIVATE_KEY API_KEY_PEPPER IDENTITY_ENCRYPTION_KEYS" "giftcards" "CARD_ENCRYPTION_KEYS CARD_HMAC_KEY" "webhooks" "WEBHOOK_ENCRYPTION_KEYS" -}}
{{- get $own . -}}
{{- end -}}
