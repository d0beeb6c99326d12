package io.parterre.key;

/** A key taken apart: its scope, partition and row. */
public record EntityKey(Scope scope, String partitionKey, String rowKey) {}
