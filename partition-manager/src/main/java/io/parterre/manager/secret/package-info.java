/**
 * Keys that encrypt keys of accounts. The leader encrypts before it proposes, and decrypts what it
 * tells to front ends and operators: log, snapshots and map hold what {@code map.EncryptedKey} is.
 * Where the keys come from is the business of {@code deploy}; when they are used is decided by
 * {@link io.parterre.manager.plan.request.KeyEncryption}. Start with {@link
 * io.parterre.manager.secret.KeyRing}.
 */
package io.parterre.manager.secret;
