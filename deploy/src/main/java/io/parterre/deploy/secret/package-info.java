/**
 * Keys that encrypt account keys, as operators provide them: in a file, or printed by a command
 * that asks the service or device that keeps them. Nothing here shows a key. Start with {@link
 * io.parterre.deploy.secret.EncryptionKeys}.
 */
package io.parterre.deploy.secret;
