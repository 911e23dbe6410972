{{- define "monero-node.selector" -}}
app.kubernetes.io/name: monero-node
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "monero-node.labels" -}}
{{ include "monero-node.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "monero-node.loginSecret" -}}
{{- if .Values.login.existingSecret }}{{ .Values.login.existingSecret }}{{ else if .Values.login.value }}{{ .Release.Name }}-login{{ end }}
{{- end }}
