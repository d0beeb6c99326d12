/**
 * A cluster's certificates in Secrets of Kubernetes, made and renewed by a job: reads the Secrets,
 * lets {@code certs.plan} decide, signs, and writes. One thread. A change of a Secret is refused if
 * another client has changed it since it was read; then it is read again. Start with {@link
 * io.parterre.deploy.certs.kubernetes.CertificateRun}.
 */
package io.parterre.deploy.certs.kubernetes;
