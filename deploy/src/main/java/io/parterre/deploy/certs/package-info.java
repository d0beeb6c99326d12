/**
 * Certificates and keys: how they are made, how they read as text, and an issuer in a folder. Only
 * the commands use it, no running process does. Start with {@link
 * io.parterre.deploy.certs.CertificateFolder}.
 */
package io.parterre.deploy.certs;
