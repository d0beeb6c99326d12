/**
 * The replicated log and the snapshots behind the map, by Apache Ratis: one Raft group of all
 * managers. What an entry does is decided in {@code map}; who may propose is decided in {@code
 * lead}. Entries are applied on the group's updater thread, which must never wait for anything but
 * the disk. Start with {@link io.parterre.manager.raft.MapGroup}.
 *
 * <p>Invariant: an outcome is told only after its entry is on the disks of a majority; after a
 * restart the map is what the log and the newest snapshot say, however the process ended.
 */
package io.parterre.manager.raft;
