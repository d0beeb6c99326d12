/**
 * The replicated log and the snapshots of the map, by Apache Ratis: one Raft group of all managers.
 * {@code map} decides what an entry does; {@code lead} decides who may propose. Entries are applied
 * on the group's updater thread, which must never wait for anything but the disk. Start with {@link
 * io.parterre.manager.raft.MapGroup}.
 *
 * <p>Invariant: an outcome is reported only after its entry is on the disks of a majority. After a
 * restart the map is what the log and the newest snapshot say, however the process ended.
 */
package io.parterre.manager.raft;
