package io.parterre.server.lifecycle;

import io.parterre.range.NodeId;
import io.parterre.server.apply.HostedRange;
import java.util.Arrays;

/**
 * Lifecycle state of a replica, persisted in its own row: {@code version(1) tag(1)}; without the
 * row it was founded.
 *
 * <pre>
 *             ENTRY_APPLIED  MEMBER_APPLIED  COPY_STAGED  COPY_INSTALLED  GIVEN_UP  ABSORBED
 * BORN        FOUNDED        BORN            INSTALLING   never           REMOVING  ABSORBED
 * FOUNDED     FOUNDED        FOUNDED         INSTALLING   never           REMOVING  ABSORBED
 * JOINING     JOINING        JOINED          INSTALLING   never           REMOVING  ABSORBED
 * JOINED      JOINED         JOINED          INSTALLING   never           REMOVING  ABSORBED
 * INSTALLING  never          never           INSTALLING   JOINED          REMOVING  ABSORBED
 * REMOVING    never          never           never        never           REMOVING  ABSORBED
 * ABSORBED    never          never           never        never           ABSORBED  ABSORBED
 * </pre>
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

    /** What happens to a replica's rows. */
    public enum Event {
        /** An entry of the log was applied, the first one included. */
        ENTRY_APPLIED,
        /** An entry was applied that has this node among the range's members. */
        MEMBER_APPLIED,
        /** A whole copy lies beside the store and is to replace the rows. */
        COPY_STAGED,
        /** The copy has replaced the rows. */
        COPY_INSTALLED,
        /** The node is no member, and what it holds goes. */
        GIVEN_UP,
        /** The left neighbour has absorbed the range. */
        ABSORBED
    }

    private static final Transitions<ReplicaPhase, Event> TABLE = phases();

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
        return on(Event.ENTRY_APPLIED);
    }

    /**
     * Once the log has made something else of the range. A member has the data: it came entry by
     * entry, since the leader still had all of them.
     */
    public ReplicaPhase afterChange(HostedRange changed, NodeId self) {
        return changed.member(self).isPresent() ? on(Event.MEMBER_APPLIED) : this;
    }

    /**
     * The phase after the event.
     *
     * @throws IllegalStateException if the event never meets this phase
     */
    public ReplicaPhase on(Event event) {
        return TABLE.next(this, event);
    }

    private static Transitions<ReplicaPhase, Event> phases() {
        Transitions<ReplicaPhase, Event> table = new Transitions<>(ReplicaPhase.class, Event.class);
        for (ReplicaPhase phase : values()) {
            boolean applies = phase.hasData() || phase == JOINING;
            if (applies) {
                table.to(phase, Event.ENTRY_APPLIED, phase == BORN ? FOUNDED : phase)
                        .to(phase, Event.MEMBER_APPLIED, phase == JOINING ? JOINED : phase);
            } else {
                table.never(phase, Event.ENTRY_APPLIED).never(phase, Event.MEMBER_APPLIED);
            }
            if (phase.isEnding()) {
                table.never(phase, Event.COPY_STAGED);
            } else {
                table.to(phase, Event.COPY_STAGED, INSTALLING);
            }
            if (phase == INSTALLING) {
                table.to(phase, Event.COPY_INSTALLED, JOINED);
            } else {
                table.never(phase, Event.COPY_INSTALLED);
            }
            table.to(phase, Event.GIVEN_UP, phase == ABSORBED ? ABSORBED : REMOVING)
                    .to(phase, Event.ABSORBED, ABSORBED);
        }
        return table;
    }

    static Transitions<ReplicaPhase, Event> table() {
        return TABLE;
    }

    /**
     * Whether this node gets a replica of what is cut off. One that is no member, or was made empty
     * and has not got the data, is given no child that votes: the range's rows just end at the
     * split point.
     */
    public boolean bears(HostedRange child, NodeId self) {
        return hasData() && child.member(self).isPresent();
    }

    /** The row. */
    public byte[] encode() {
        return new byte[] {VERSION, tag};
    }

    /**
     * Reads a row.
     *
     * @throws IllegalArgumentException if it is malformed or of an unknown version
     */
    public static ReplicaPhase decode(byte[] row) {
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
