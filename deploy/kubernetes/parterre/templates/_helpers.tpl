{{/* Short: names of nodes have at most 63 characters, and pods' names are node names. */}}
{{- define "parterre.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := .Release.Name -}}
{{- if .Values.fullnameOverride -}}
{{- $full = .Values.fullnameOverride -}}
{{- else if not (contains $name .Release.Name) -}}
{{- $full = printf "%s-%s" .Release.Name $name -}}
{{- end -}}
{{- $full | replace "." "-" | trunc 30 | trimSuffix "-" -}}
{{- end -}}

{{/* Of a dict with root and component. */}}
{{- define "parterre.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "parterre.labels" -}}
{{ include "parterre.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "parterre.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "parterre.managerDomain" -}}
{{ include "parterre.fullname" . }}-manager.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}
{{- end -}}

{{- define "parterre.serverDomain" -}}
{{ include "parterre.fullname" . }}-server.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}
{{- end -}}

{{/* Managers' services, for operators' commands. */}}
{{- define "parterre.managerAddresses" -}}
{{- $addresses := list -}}
{{- range $i := until (int .Values.manager.replicas) -}}
{{- $addresses = append $addresses (printf "%s-manager-%d.%s:10021" (include "parterre.fullname" $) $i (include "parterre.managerDomain" $)) -}}
{{- end -}}
{{- join "," $addresses -}}
{{- end -}}

{{/* StatefulSets of servers: a JSON object with a list of name, zone. */}}
{{- define "parterre.serverSets" -}}
{{- $sets := list -}}
{{- range .Values.server.zones -}}
{{- $sets = append $sets (dict "name" (printf "%s-server-%s" (include "parterre.fullname" $) .) "zone" .) -}}
{{- else -}}
{{- $sets = append $sets (dict "name" (printf "%s-server" (include "parterre.fullname" .)) "zone" "") -}}
{{- end -}}
{{- dict "sets" $sets | toJson -}}
{{- end -}}

{{/* What all processes and operators of a cluster know: its managers, and their own certificate's folder. */}}
{{- define "parterre.clusterSettings" -}}
{{- $root := .root -}}
{{- if eq $root.Values.mode "cluster" -}}
{{- $managers := list -}}
{{- range $i := until (int $root.Values.manager.replicas) -}}
{{- $host := printf "%s-manager-%d.%s" (include "parterre.fullname" $root) $i (include "parterre.managerDomain" $root) -}}
{{- $managers = append $managers (dict "id" (printf "%s-manager-%d" (include "parterre.fullname" $root) $i) "raft" (printf "%s:10020" $host) "service" (printf "%s:10021" $host)) -}}
{{- end -}}
{{- $settings := dict "cluster" (dict "managers" $managers) -}}
{{- if eq (include "parterre.clusterTls" $root) "true" -}}
{{- $settings = merge $settings (include "parterre.clusterTlsSettings" .folder | fromYaml) -}}
{{- end -}}
{{- toYaml $settings -}}
{{- end -}}
{{- end -}}

{{- define "parterre.operatorSettings" -}}
{{- include "parterre.clusterSettings" (dict "root" . "folder" "/etc/parterre-operator-tls") -}}
{{- end -}}

{{/* A settings file of a dict with root, role's values and settings that follow from other values. */}}
{{- define "parterre.settings" -}}
{{- $settings := include "parterre.clusterSettings" (dict "root" .root "folder" "/etc/parterre-cluster-tls") | fromYaml -}}
{{- $settings = mustMergeOverwrite $settings (deepCopy .derived) (deepCopy .root.Values.settings) (deepCopy .values.settings) -}}
{{- toYaml $settings -}}
{{- end -}}

{{/* Follows from tls. */}}
{{- define "parterre.tlsSettings" -}}
frontEnd:
  http:
    tls:
      certificateChain: /etc/parterre-tls/tls.crt
      privateKey: /etc/parterre-tls/tls.key
{{- end -}}

{{- define "parterre.resources" -}}
requests:
  cpu: {{ .cpu.request }}
  memory: {{ .memory.limit }}
limits:
  memory: {{ .memory.limit }}
{{- with .cpu.limit }}
  cpu: {{ . }}
{{- end }}
{{- end -}}

{{- define "parterre.containerSecurityContext" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{/*
The admin port answers from the first second on a thread of its own: a process that replays long
logs, or whose disk is slow, is alive. Only one that says nothing for two minutes is restarted.
*/}}
{{- define "parterre.probes" -}}
startupProbe:
  httpGet: {path: /livez, port: admin}
  periodSeconds: 2
  timeoutSeconds: 5
  # A node whose pods all start at once may need minutes for each.
  failureThreshold: 300
livenessProbe:
  httpGet: {path: /livez, port: admin}
  periodSeconds: 20
  timeoutSeconds: 10
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: admin}
  periodSeconds: 5
  timeoutSeconds: 6
  failureThreshold: 3
{{- end -}}

{{- define "parterre.accountsSecret" -}}
{{- if .Values.accounts.existingSecret -}}
{{ .Values.accounts.existingSecret }}
{{- else if .Values.accounts.list -}}
{{ include "parterre.fullname" . }}-accounts
{{- end -}}
{{- end -}}

{{- define "parterre.tokenSecret" -}}
{{ .Values.operatorToken.existingSecret | default (printf "%s-operator-token" (include "parterre.fullname" .)) }}
{{- end -}}

{{- define "parterre.tlsSecret" -}}
{{ .Values.tls.secretName | default (printf "%s-tls" (include "parterre.fullname" .)) }}
{{- end -}}

{{- define "parterre.tokenEnv" -}}
- name: PARTERRE_OPERATOR_TOKEN
  valueFrom:
    secretKeyRef: {name: {{ include "parterre.tokenSecret" . }}, key: token}
{{- end -}}

{{/* What encrypts account keys, for pods that keep accounts. */}}
{{- define "parterre.encryptionEnv" -}}
{{- if .Values.secrets.existingSecret -}}
- name: PARTERRE_SECRETS_KEY_FILE
  value: /etc/parterre-secrets/keys
{{- end -}}
{{- end -}}

{{- define "parterre.encryptionMount" -}}
{{- if .Values.secrets.existingSecret -}}
- {name: secrets, mountPath: /etc/parterre-secrets, readOnly: true}
{{- end -}}
{{- end -}}

{{- define "parterre.encryptionVolume" -}}
{{- with .Values.secrets.existingSecret -}}
- name: secrets
  secret: {secretName: {{ . }}, defaultMode: 0440, items: [{key: keys, path: keys}]}
{{- end -}}
{{- end -}}

{{- define "parterre.accountsEnv" -}}
{{- with include "parterre.accountsSecret" . -}}
- name: PARTERRE_ACCOUNTS
  valueFrom:
    secretKeyRef: {name: {{ . }}, key: accounts}
{{- end -}}
{{- end -}}

{{- define "parterre.podName" -}}
- name: POD_NAME
  valueFrom:
    fieldRef: {fieldPath: metadata.name}
{{- end -}}

{{/*
What all pods have, of a dict with root, component and values. No process uses Kubernetes' API but
the jobs that make certificates: those have a serviceAccount of their own.
Variables by the names of services would be taken for settings: PARTERRE_ADMIN_PORT is one.
*/}}
{{- define "parterre.podBasics" -}}
serviceAccountName: {{ .serviceAccount | default .root.Values.serviceAccount.name | default (include "parterre.fullname" .root) }}
automountServiceAccountToken: {{ not (empty .serviceAccount) }}
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext: {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Apart on machines, evenly over zones; of the same dict, with zone. */}}
{{- define "parterre.placement" -}}
{{- $affinity := deepCopy .values.affinity -}}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" (include "parterre.selector" . | fromYaml)) -}}
{{- if eq .values.antiAffinity "hard" -}}
{{- $affinity = mustMerge $affinity (dict "podAntiAffinity" (dict "requiredDuringSchedulingIgnoredDuringExecution" (list $term))) -}}
{{- else if eq .values.antiAffinity "soft" -}}
{{- $affinity = mustMerge $affinity (dict "podAntiAffinity" (dict "preferredDuringSchedulingIgnoredDuringExecution" (list (dict "weight" 100 "podAffinityTerm" $term)))) -}}
{{- end -}}
{{- if .zone -}}
{{- $zone := dict "key" "topology.kubernetes.io/zone" "operator" "In" "values" (list .zone) -}}
{{- $affinity = mustMerge $affinity (dict "nodeAffinity" (dict "requiredDuringSchedulingIgnoredDuringExecution" (dict "nodeSelectorTerms" (list (dict "matchExpressions" (list $zone)))))) -}}
{{- end -}}
{{- with $affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if not .zone }}
topologySpreadConstraints:
- maxSkew: 1
  topologyKey: topology.kubernetes.io/zone
  whenUnsatisfiable: {{ .values.zoneSpread }}
  labelSelector:
    matchLabels: {{- include "parterre.selector" . | nindent 6 }}
{{- end }}
{{- end -}}

{{/* A restart follows from other settings, and from other accounts where the chart keeps them. */}}
{{- define "parterre.checksums" -}}
checksum/settings: {{ .settings | sha256sum }}
{{- if and .accounts .root.Values.accounts.list (not .root.Values.accounts.existingSecret) }}
checksum/accounts: {{ toJson .root.Values.accounts.list | sha256sum }}
{{- end }}
{{- end -}}

{{- define "parterre.managerSettings" -}}
{{- $derived := dict "manager" (dict "policy" .Values.policy) -}}
{{- include "parterre.settings" (dict "root" . "values" .Values.manager "derived" $derived) -}}
{{- end -}}

{{/* Where ranges have one replica there is nothing to wait for. */}}
{{- define "parterre.waitsForPermit" -}}
{{- and .Values.server.disruption.enabled (gt (int .Values.policy.replicas) 1) -}}
{{- end -}}

{{- define "parterre.serverSettings" -}}
{{- $derived := dict -}}
{{- if eq (include "parterre.waitsForPermit" .) "true" -}}
{{- $wait := int .Values.server.disruption.waitMaxSeconds -}}
{{- $stop := dict "permit" "wait" "permitTimeout" (printf "%ds" $wait) "permitFor" .Values.server.disruption.permitFor -}}
{{- $derived = dict "stopTimeout" (printf "%ds" (add $wait 30)) "server" (dict "stop" $stop) -}}
{{- end -}}
{{- include "parterre.settings" (dict "root" . "values" .Values.server "derived" $derived) -}}
{{- end -}}

{{- define "parterre.frontEndSettings" -}}
{{- $delay := int .Values.frontEnd.closeDelaySeconds -}}
{{- $derived := dict "stopTimeout" (printf "%ds" (add $delay 30)) "frontEnd" (dict "http" (dict "closeDelay" (printf "%ds" $delay))) -}}
{{- if .Values.tls.enabled -}}
{{- $derived = mustMerge $derived (include "parterre.tlsSettings" . | fromYaml) -}}
{{- end -}}
{{- include "parterre.settings" (dict "root" . "values" .Values.frontEnd "derived" $derived) -}}
{{- end -}}

{{- define "parterre.embeddedSettings" -}}
{{- $derived := dict -}}
{{- if .Values.tls.enabled -}}
{{- $derived = mustMerge $derived (include "parterre.tlsSettings" . | fromYaml) -}}
{{- end -}}
{{- include "parterre.settings" (dict "root" . "values" .Values.embedded "derived" $derived) -}}
{{- end -}}

{{/* Peers of a network policy: pods of a component, of the same dict as for labels. */}}
{{- define "parterre.from" -}}
- podSelector:
    matchLabels: {{- include "parterre.selector" . | nindent 6 }}
{{- end -}}

{{- define "parterre.fromOperators" -}}
- podSelector:
    matchLabels: {parterre.io/operator: "true"}
{{- with .Values.networkPolicy.operators }}
{{ toYaml . }}
{{- end }}
{{- end -}}
