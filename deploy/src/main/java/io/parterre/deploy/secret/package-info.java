/**
 * Keys that encrypt account keys, as operators give them: in a file, or printed by a command that
 * asks whatever keeps them. Nothing here shows a key. Start with {@link
 * io.parterre.deploy.secret.EncryptionKeys}.
 */
package io.parterre.deploy.secret;
