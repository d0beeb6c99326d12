/**
 * Applies committed commands to one range. Pure: no disk, network, clock or randomness, so replicas
 * that apply the same log hold the same bytes. Storing the mutations is the business of {@code
 * store}; ordering the log is the business of {@code raft}. Start with {@link
 * io.parterre.server.apply.RangeState}.
 */
package io.parterre.server.apply;
