package io.parterre.server.raft;

import io.parterre.range.NodeId;
import io.parterre.server.apply.HostedRange;
import java.util.Arrays;

/**
 * Lifecycle state of a replica, persisted in its own row: {@code version(1) tag(1)}; without the
 * row it was founded.
 *
 * <p>Legal: BORN to FOUNDED; JOINING to JOINED; those four to INSTALLING, REMOVING or ABSORBED;
 * INSTALLING to JOINED. Out of REMOVING and ABSORBED only the end leads.
 */
public enum ReplicaPhase {
    /** Made with the range: has voted since it was there. */
    FOUNDED(0),
    /** Made empty, for a range that lives. Has no say until its leader has brought the data. */
    JOINING(1),
    /** Was made empty and has got the data. */
    JOINED(2),
    /**
     * A whole copy lies beside the store; the rows may be the old ones, none, or some of both, and
     * are replaced before anything else happens.
     */
    INSTALLING(3),
    /** Is given up: its rows and its log go. */
    REMOVING(4),
    /**
     * Made with the range, a member from its first entry on, and none of the log is applied yet. So
     * it may have no Raft group yet, or one that has not heard of its members.
     */
    BORN(5),
    /**
     * Its range no longer exists: the rows are those of the left neighbour. What is its own goes,
     * and its log.
     */
    ABSORBED(6);

    private static final byte VERSION = 1;

    private final byte tag;

    ReplicaPhase(int tag) {
        this.tag = (byte) tag;
    }

    /** Whether the rows are the range's data as far as the log is applied. */
    public boolean hasData() {
        return this == BORN || this == FOUNDED || this == JOINED;
    }

    /** Whether what it holds goes, and nothing is written to it any more. */
    public boolean isEnding() {
        return this == REMOVING || this == ABSORBED;
    }

    /** Whether it is a member since its range is there. */
    public boolean isFirstMember() {
        return this == BORN || this == FOUNDED;
    }

    /**
     * Once an entry of the log is applied: from the first one on its log is there, and has to be.
     */
    public ReplicaPhase afterEntry() {
        return this == BORN ? FOUNDED : this;
    }

    /**
     * Once the log has made something else of the range. A member has the data: it came entry by
     * entry, since the leader still had all of them.
     */
    public ReplicaPhase afterChange(HostedRange changed, NodeId self) {
        return this == JOINING && changed.member(self).isPresent() ? JOINED : this;
    }

    /**
     * Whether this node gets a replica of what is cut off. One that is no member, or was made empty
     * and has not got the data, is given no child that votes: the range's rows just end at the cut.
     */
    public boolean bears(HostedRange child, NodeId self) {
        return hasData() && child.member(self).isPresent();
    }

    byte[] encode() {
        return new byte[] {VERSION, tag};
    }

    static ReplicaPhase decode(byte[] row) {
        if (row.length != 2 || row[0] != VERSION) {
            throw new IllegalArgumentException("phase row: malformed or of unknown version");
        }
        return Arrays.stream(values())
                .filter(each -> each.tag == row[1])
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("phase row: unknown tag " + row[1]));
    }
}
