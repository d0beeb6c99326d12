package io.parterre.server.raft;

import java.util.Arrays;

/**
 * What a replica is in for, kept in a row of its own: {@code version(1) tag(1)}; without the row it
 * was founded.
 *
 * <p>Legal: JOINING to JOINED, INSTALLING or REMOVING; FOUNDED and JOINED to INSTALLING or
 * REMOVING; INSTALLING to JOINED. Out of REMOVING only the end leads.
 */
enum ReplicaPhase {
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
    REMOVING(4);

    private static final byte VERSION = 1;

    private final byte tag;

    ReplicaPhase(int tag) {
        this.tag = (byte) tag;
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
