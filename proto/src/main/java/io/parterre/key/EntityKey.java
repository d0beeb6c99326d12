package io.parterre.key;

/** The parts of a key: scope, partition key and row key. Immutable. */
public record EntityKey(Scope scope, String partitionKey, String rowKey) {}
