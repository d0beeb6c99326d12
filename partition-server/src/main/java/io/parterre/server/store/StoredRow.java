package io.parterre.server.store;

/** A row as it is stored. */
public record StoredRow(byte[] key, byte[] value) {}
