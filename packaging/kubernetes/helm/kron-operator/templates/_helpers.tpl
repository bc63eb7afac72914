{{- define "kron.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "kron.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains (include "kron.name" .) .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "kron.name" .) | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- /* Cluster-wide objects carry the namespace, so that two releases do not meet. */}}
{{- define "kron.clusterName" -}}
{{- printf "%s-%s" .Release.Namespace (include "kron.fullname" .) | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "kron.selectorLabels" -}}
app.kubernetes.io/name: {{ include "kron.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "kron.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "kron.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: kron
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "kron.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "kron.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- /* The operator's permissions for KronJobs and Jobs, in every namespace it watches. */}}
{{- define "kron.workRules" -}}
- apiGroups: [kron.io]
  resources: [kronjobs]
  verbs: [get, list, watch]
- apiGroups: [kron.io]
  resources: [kronjobs/status]
  verbs: [patch]
- apiGroups: [kron.io]
  resources: [kronjobs/finalizers]
  verbs: [update]
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get, list, watch, create, delete]
- apiGroups: [""]
  resources: [configmaps]
  verbs: [get, list, watch]
  resourceNames: [kron-files]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end }}
