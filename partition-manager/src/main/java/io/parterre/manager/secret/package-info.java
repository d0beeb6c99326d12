/**
 * Encryption of accounts' keys. The leader encrypts before it proposes, and decrypts what it sends
 * to front ends and operators. Log, snapshots and map hold {@code map.EncryptedKey}. {@code deploy}
 * provides the encryption keys; {@link io.parterre.manager.plan.request.KeyEncryption} decides when
 * they are used. Start with {@link io.parterre.manager.secret.KeyRing}.
 */
package io.parterre.manager.secret;
