/**
 * The cluster's map as a value, the commands that change it, and their outcomes. Pure: managers
 * that apply the same log hold the same map. Values that managers could not compute alike (time,
 * new names, liveness) are fixed by the leader and are part of the command. {@code raft} orders and
 * stores the log. Start with {@link io.parterre.manager.map.ClusterMap}.
 *
 * <p>Invariant: once a cluster is created, its ranges cover the key space exactly once, and no id
 * is ever assigned twice.
 */
package io.parterre.manager.map;
