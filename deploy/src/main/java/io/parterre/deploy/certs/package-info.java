/**
 * Certificates of a development cluster: an issuer in a folder, and what it issues. Only the
 * commands use it, no running process does. Start with {@link
 * io.parterre.deploy.certs.CertificateFolder}.
 */
package io.parterre.deploy.certs;
