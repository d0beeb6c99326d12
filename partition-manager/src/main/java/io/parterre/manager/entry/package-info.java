/**
 * How a manager gets into the managers' Raft group, or finds that it is in it no more. What it may
 * do is decided in {@code plan}; here the others are asked, the standing is kept on disk before the
 * group is begun, and the group is begun and ended. One thread of its own, which waits for the disk
 * and for Raft servers that start and end. Start with {@link io.parterre.manager.entry.GroupEntry}.
 *
 * <p>Invariant: a Raft server runs only while the standing on disk says that it may, and one with a
 * vote only for a folder that has not forgotten how it voted.
 */
package io.parterre.manager.entry;
