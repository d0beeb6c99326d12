package io.parterre.manager.map;

/** A key of an account in the form in which managers keep it: in log, snapshots and memory. */
public sealed interface StoredKey permits AccountKey, EncryptedKey {}
