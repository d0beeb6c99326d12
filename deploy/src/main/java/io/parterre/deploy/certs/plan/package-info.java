/**
 * Decides which certificates of a cluster are made, kept and dropped, and when its issuer changes.
 * Pure: the current state, the wanted one and the time are values. Reading Secrets and signing is
 * done in {@code certs.kubernetes}. Start with {@link
 * io.parterre.deploy.certs.plan.CertificatePlanner}.
 */
package io.parterre.deploy.certs.plan;
