/**
 * Decides which certificates of a cluster are made, kept and dropped, and when its issuer changes.
 * Pure: what there is, what is wanted and the time are values. To read Secrets and to sign is the
 * business of {@code certs.kubernetes}. Start with {@link
 * io.parterre.deploy.certs.plan.CertificatePlanner}.
 */
package io.parterre.deploy.certs.plan;
