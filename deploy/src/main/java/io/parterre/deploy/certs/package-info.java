/**
 * Certificates and keys: how they are made, their form as text, and an issuer in a folder. Used
 * only by commands, not by running processes. Start with {@link
 * io.parterre.deploy.certs.CertificateFolder}.
 */
package io.parterre.deploy.certs;
