package io.parterre.server.apply;

/** A stored row of the range's own, see {@link OwnKey}. */
public record OwnRow(OwnKey key, byte[] value) {}
