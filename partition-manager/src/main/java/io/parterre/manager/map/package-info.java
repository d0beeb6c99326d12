/**
 * The cluster's map as a value, the commands that change it and what each of them comes to. Pure:
 * managers that apply the same log hold the same map. What a command cannot know alike everywhere
 * (time, new names, who is alive) is fixed by the leader and travels inside it. Ordering and
 * storing the log is the business of {@code raft}. Start with {@link
 * io.parterre.manager.map.ClusterMap}.
 *
 * <p>Invariant: once a cluster is founded its ranges cover the key space exactly once, and no id is
 * ever given out twice.
 */
package io.parterre.manager.map;
