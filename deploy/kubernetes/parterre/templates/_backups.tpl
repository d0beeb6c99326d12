{{/* A container that runs "parterre backup NAME", of a dict with root, name and more arguments. */}}
{{- define "parterre.backupContainer" -}}
{{- $backup := .root.Values.backup -}}
name: {{ .name }}
image: {{ include "parterre.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args:
- backup
- {{ .name }}
- {{ printf "--repository=%s" $backup.repository | quote }}
{{- if $backup.keySecret }}
- --key-file=/etc/parterre-backup/key
{{- end }}
{{- range .more }}
- {{ . }}
{{- end }}
env:
{{- include "parterre.tokenEnv" .root | nindent 0 }}
{{- with $backup.extraEnv }}{{ toYaml . | nindent 0 }}{{- end }}
{{- with $backup.credentialsSecret }}
envFrom:
- secretRef: {name: {{ . }}}
{{- end }}
resources: {{- include "parterre.resources" $backup | nindent 2 }}
securityContext: {{- include "parterre.containerSecurityContext" .root | nindent 2 }}
volumeMounts:
- {name: settings, mountPath: /etc/parterre, readOnly: true}
- {name: tmp, mountPath: /tmp}
{{- with include "parterre.clusterTlsMount" (dict "root" .root "volume" "operator-tls" "path" "/etc/parterre-operator-tls") | trim }}{{ . | nindent 0 }}{{- end }}
{{- if $backup.keySecret }}
- {name: backup-key, mountPath: /etc/parterre-backup, readOnly: true}
{{- end }}
{{- if $backup.existingClaim }}
- {name: repository, mountPath: /backups}
{{- end }}
{{- end -}}

{{- define "parterre.backupVolumes" -}}
- name: settings
  configMap:
    name: {{ include "parterre.fullname" . }}-settings
    items: [{key: operator.yaml, path: parterre.yaml}]
- name: tmp
  emptyDir: {}
{{- with include "parterre.clusterTlsVolume" (dict "root" . "component" "operator" "volume" "operator-tls") | trim }}{{ . | nindent 0 }}{{- end }}
{{- with .Values.backup.keySecret }}
- name: backup-key
  secret: {secretName: {{ . }}, defaultMode: 0440, items: [{key: key, path: key}]}
{{- end }}
{{- with .Values.backup.existingClaim }}
- name: repository
  persistentVolumeClaim: {claimName: {{ . }}}
{{- end }}
{{- end -}}
