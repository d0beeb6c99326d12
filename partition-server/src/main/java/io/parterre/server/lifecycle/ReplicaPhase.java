package io.parterre.server.lifecycle;

import io.parterre.range.NodeId;
import io.parterre.server.apply.HostedRange;
import java.util.Arrays;

/**
 * Lifecycle state of a replica, persisted in its own row: {@code version(1) tag(1)}. Without the
 * row the phase is FOUNDED.
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
    /** Created with the range; has had a vote since then. */
    FOUNDED(0),
    /**
     * Created empty, for a range that exists. Has no vote until its leader has brought the data.
     */
    JOINING(1),
    /** Was created empty and has got the data. */
    JOINED(2),
    /**
     * A whole copy lies beside the store. The rows may be the old ones, none, or a mixture, and are
     * replaced before anything else happens.
     */
    INSTALLING(3),
    /** Given up: its rows and its log are deleted. */
    REMOVING(4),
    /**
     * Created with the range and a member from its first entry on, with no entry of the log applied
     * yet. So it may have no Raft group yet, or a group that does not know its members.
     */
    BORN(5),
    /**
     * The range no longer exists; the rows belong to the left neighbour. The replica's own rows and
     * its log are deleted.
     */
    ABSORBED(6);

    /** What happens to a replica's rows. */
    public enum Event {
        /** An entry of the log was applied, possibly the first. */
        ENTRY_APPLIED,
        /** An applied entry has this node among the range's members. */
        MEMBER_APPLIED,
        /** A whole copy lies beside the store and is to replace the rows. */
        COPY_STAGED,
        /** The copy has replaced the rows. */
        COPY_INSTALLED,
        /** The node is no member, and the replica's data is deleted. */
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

    /** Whether the rows are the range's data up to the applied index. */
    public boolean hasData() {
        return this == BORN || this == FOUNDED || this == JOINED;
    }

    /** Whether the replica is being deleted and nothing is written to it any more. */
    public boolean isEnding() {
        return this == REMOVING || this == ABSORBED;
    }

    /** Whether the replica has been a member since its range exists. */
    public boolean isFirstMember() {
        return this == BORN || this == FOUNDED;
    }

    /**
     * Returns the phase after a log entry is applied. From the first entry on the log exists and
     * must exist.
     */
    public ReplicaPhase afterEntry() {
        return on(Event.ENTRY_APPLIED);
    }

    /**
     * Returns the phase after the log has changed the range. A member has the data: the leader
     * still had all entries, so the data came entry by entry.
     */
    public ReplicaPhase afterChange(HostedRange changed, NodeId self) {
        return changed.member(self).isPresent() ? on(Event.MEMBER_APPLIED) : this;
    }

    /**
     * Returns the phase after the event.
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
     * Whether this node gets a replica of a child. A replica that is no member, or was created
     * empty and has not got the data, gets no child that votes; its rows just end at the split
     * point.
     */
    public boolean bears(HostedRange child, NodeId self) {
        return hasData() && child.member(self).isPresent();
    }

    /** Returns the row of this phase. */
    public byte[] encode() {
        return new byte[] {VERSION, tag};
    }

    /**
     * Reads a row.
     *
     * @throws IllegalArgumentException if the row is malformed or of an unknown version
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
