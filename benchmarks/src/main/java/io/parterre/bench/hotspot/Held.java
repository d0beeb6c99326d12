package io.parterre.bench.hotspot;

import java.util.Arrays;

/**
 * Acknowledged writes: for each connection and partition one entity, and its last acknowledged
 * revision. Used by the loop's thread, and by others once the loop has ended.
 */
final class Held {
    private static final long NOTHING = 0;
    private static final long IN_DOUBT = -1;

    private final long[][] revisions;

    Held(int connections, int partitions) {
        this.revisions = new long[connections][partitions];
    }

    /** Returns whether the entity exists with a known revision. */
    boolean isKnown(int connection, int partition) {
        return revisions[connection][partition] > NOTHING;
    }

    long revision(int connection, int partition) {
        return revisions[connection][partition];
    }

    void acknowledge(int connection, int partition, long revision) {
        revisions[connection][partition] = revision;
    }

    /** Records a write with no answer or a wrong one: the entity may have either revision. */
    void doubt(int connection, int partition) {
        revisions[connection][partition] = IN_DOUBT;
    }

    int connections() {
        return revisions.length;
    }

    int partitions() {
        return revisions[0].length;
    }

    /** Returns the number of entities whose revision is known. */
    long count() {
        return Arrays.stream(revisions)
                .flatMapToLong(Arrays::stream)
                .filter(revision -> revision > NOTHING)
                .count();
    }
}
