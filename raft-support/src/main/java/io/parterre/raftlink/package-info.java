/**
 * Proxies between the network and a Raft server that correct Ratis 3.3.0: answers wait for the
 * disk, votes wait for leases, elections start in time, silent connections are renewed. Start with
 * {@link io.parterre.raftlink.GuardedRpcType}. The module's README lists every workaround.
 */
package io.parterre.raftlink;
