/**
 * A cluster's certificates in Secrets of Kubernetes, made and renewed by a job: reads what the
 * Secrets hold, has {@code certs.plan} decide, signs, and writes. One thread. Each change of a
 * Secret is refused where somebody else has changed it since it was read; then it is read again.
 * Start with {@link io.parterre.deploy.certs.kubernetes.CertificateRun}.
 */
package io.parterre.deploy.certs.kubernetes;
