/**
 * How a manager gets into the managers' Raft group, or finds that it is no longer a member. {@code
 * plan} decides what it may do. This package asks the others, stores the standing on disk before
 * the group is begun, and begins and ends the group. One thread of its own waits for the disk and
 * for Raft servers that start and end. Start with {@link io.parterre.manager.entry.GroupEntry}.
 *
 * <p>Invariant: a Raft server runs only while the standing on disk allows it, and has a vote only
 * if the folder has not forgotten its votes.
 */
package io.parterre.manager.entry;
