{{/* TLS between the processes of a cluster. */}}
{{- define "parterre.clusterTls" -}}
{{- and (eq .Values.mode "cluster") .Values.clusterTls.enabled -}}
{{- end -}}

{{/*
Certificates: a JSON object with a list of secret, name, hosts, by the components that hold them. One
for each role, not for each pod: a StatefulSet gives all of its pods the same volumes.
*/}}
{{- define "parterre.clusterCertificates" -}}
{{- $secrets := .Values.clusterTls.secrets -}}
{{- $full := include "parterre.fullname" . -}}
{{- $managerHosts := list (printf "*.%s" (include "parterre.managerDomain" .)) "localhost" -}}
{{- $serverHosts := list (printf "*.%s" (include "parterre.serverDomain" .)) "localhost" -}}
{{- $list := list
      (dict "component" "manager" "secret" ($secrets.manager | default (printf "%s-manager-tls" $full)) "name" "manager" "hosts" $managerHosts)
      (dict "component" "server" "secret" ($secrets.server | default (printf "%s-server-tls" $full)) "name" "server" "hosts" $serverHosts)
      (dict "component" "front-end" "secret" ($secrets.frontEnd | default (printf "%s-front-end-tls" $full)) "name" "front-end" "hosts" list)
      (dict "component" "operator" "secret" ($secrets.operator | default (printf "%s-operator-tls" $full)) "name" (printf "%s/%s" .Values.clusterTls.operatorRole $full) "hosts" list) -}}
{{- dict "certificates" $list | toJson -}}
{{- end -}}

{{/* Name of a component's secret, of a dict with root and component. */}}
{{- define "parterre.clusterTlsSecret" -}}
{{- $component := .component -}}
{{- range (include "parterre.clusterCertificates" .root | fromJson).certificates -}}
{{- if eq .component $component -}}{{ .secret }}{{- end -}}
{{- end -}}
{{- end -}}

{{- define "parterre.issuerSecret" -}}
{{ .Values.clusterTls.job.issuerSecret | default (printf "%s-ca" (include "parterre.fullname" .)) }}
{{- end -}}

{{/* Settings of the files in a folder. */}}
{{- define "parterre.clusterTlsSettings" -}}
tls:
  certificateChain: {{ . }}/tls.crt
  privateKey: {{ . }}/tls.key
  trustedCertificates: {{ . }}/ca.crt
{{- end -}}

{{/* The volume of a component's certificate, of a dict with root, component and the volume's name. */}}
{{- define "parterre.clusterTlsVolume" -}}
{{- if eq (include "parterre.clusterTls" .root) "true" }}
- name: {{ .volume }}
  {{- with .root.Values.clusterTls.trustedSecret }}
  projected:
    defaultMode: 0440
    sources:
    - secret:
        name: {{ include "parterre.clusterTlsSecret" $ }}
        items: [{key: tls.crt, path: tls.crt}, {key: tls.key, path: tls.key}]
    - secret:
        name: {{ . }}
        items: [{key: ca.crt, path: ca.crt}]
  {{- else }}
  secret: {secretName: {{ include "parterre.clusterTlsSecret" . }}, defaultMode: 0440}
  {{- end }}
{{- end }}
{{- end -}}

{{/* Of a dict with root, volume and path. */}}
{{- define "parterre.clusterTlsMount" -}}
{{- if eq (include "parterre.clusterTls" .root) "true" }}
- {name: {{ .volume }}, mountPath: {{ .path }}, readOnly: true}
{{- end }}
{{- end -}}

{{/*
Account of the job, which alone uses Kubernetes' API. Of a dict with root, name and annotations. "create"
knows no names of what is created; reading and changing is bound to these.
*/}}
{{- define "parterre.certificateRights" -}}
{{- $labels := include "parterre.labels" (dict "root" .root "component" "certificates") }}
{{- $secrets := list (include "parterre.issuerSecret" .root) }}
{{- range (include "parterre.clusterCertificates" .root | fromJson).certificates }}
{{- $secrets = append $secrets .secret }}
{{- end }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name }}
  labels: {{- $labels | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ .name }}
  labels: {{- $labels | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
rules:
- apiGroups: [""]
  resources: [secrets]
  verbs: [create]
- apiGroups: [""]
  resources: [secrets]
  resourceNames: {{- toYaml $secrets | nindent 2 }}
  verbs: [get, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .name }}
  labels: {{- $labels | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ .name }}}
subjects:
- {kind: ServiceAccount, name: {{ .name }}, namespace: {{ .root.Release.Namespace }}}
{{- end -}}

{{/* The spec of a job, of a dict with root, serviceAccount and more arguments. */}}
{{- define "parterre.certificateJob" -}}
{{- $job := .root.Values.clusterTls.job -}}
{{- $role := dict "root" .root "component" "certificates" "values" $job "serviceAccount" .serviceAccount -}}
backoffLimit: 4
template:
  metadata:
    labels:
      {{- include "parterre.selector" $role | nindent 6 }}
  spec:
    {{- include "parterre.podBasics" $role | nindent 4 }}
    restartPolicy: Never
    containers:
    - name: certificates
      image: {{ include "parterre.image" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args:
      - certs
      - kubernetes
      - --issuer-secret={{ include "parterre.issuerSecret" .root }}
      {{- range (include "parterre.clusterCertificates" .root | fromJson).certificates }}
      - {{ printf "--certificate=%s=%s" .secret (join "," (concat (list .name) .hosts)) | quote }}
      {{- end }}
      - --label=app.kubernetes.io/name={{ default .root.Chart.Name .root.Values.nameOverride }}
      - --label=app.kubernetes.io/instance={{ .root.Release.Name }}
      - --days={{ $job.certificateDays }}
      - --issuer-days={{ $job.issuerDays }}
      - --settle={{ $job.settle }}
      {{- range .more }}
      - {{ . }}
      {{- end }}
      resources:
        requests: {cpu: 50m, memory: 192Mi}
        limits: {memory: 192Mi}
      securityContext: {{- include "parterre.containerSecurityContext" .root | nindent 8 }}
      volumeMounts:
      - {name: tmp, mountPath: /tmp}
    volumes:
    - name: tmp
      emptyDir: {}
{{- end -}}

{{/* A process with a certificate and one without do not reach each other: a rolling update would end in none that serves. */}}
{{- define "parterre.refuseSwitchOfTls" -}}
{{- if and .Release.IsUpgrade (eq .Values.mode "cluster") -}}
{{- $full := include "parterre.fullname" . -}}
{{- $settings := lookup "v1" "ConfigMap" .Release.Namespace (printf "%s-settings" $full) -}}
{{- $managers := lookup "apps/v1" "StatefulSet" .Release.Namespace (printf "%s-manager" $full) -}}
{{- if and $settings $managers -}}
{{- $was := contains "/etc/parterre-cluster-tls/" (index $settings.data "server.yaml" | default "") -}}
{{- if and (ne $was .Values.clusterTls.enabled) (gt (int $managers.spec.replicas) 0) -}}
{{- fail (printf "clusterTls.enabled: %t (expected: %t, as the pods that run; the chart's README tells how to switch)" .Values.clusterTls.enabled $was) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
