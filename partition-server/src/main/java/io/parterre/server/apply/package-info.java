/**
 * Applies committed commands to one range. Pure: no disk, network, clock or randomness, so replicas
 * that apply the same log hold the same bytes. Package {@code store} stores the mutations, and
 * {@code raft} orders the log. Start with {@link io.parterre.server.apply.RangeState}.
 */
package io.parterre.server.apply;
