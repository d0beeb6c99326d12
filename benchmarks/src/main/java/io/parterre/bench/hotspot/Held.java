package io.parterre.bench.hotspot;

import java.util.Arrays;

/**
 * What the service has told its writers is there: of each connection and partition one entity, and
 * the revision acknowledged last. For the loop's thread, and for others once the loop has ended.
 */
final class Held {
    private static final long NOTHING = 0;
    private static final long IN_DOUBT = -1;

    private final long[][] revisions;

    Held(int connections, int partitions) {
        this.revisions = new long[connections][partitions];
    }

    /** Whether there is one, and which revision it must have. */
    boolean isKnown(int connection, int partition) {
        return revisions[connection][partition] > NOTHING;
    }

    long revision(int connection, int partition) {
        return revisions[connection][partition];
    }

    void acknowledge(int connection, int partition, long revision) {
        revisions[connection][partition] = revision;
    }

    /** A write had no answer, or not the one that was due: the entity may have either revision. */
    void doubt(int connection, int partition) {
        revisions[connection][partition] = IN_DOUBT;
    }

    int connections() {
        return revisions.length;
    }

    int partitions() {
        return revisions[0].length;
    }

    /** Entities that are known. */
    long count() {
        return Arrays.stream(revisions)
                .flatMapToLong(Arrays::stream)
                .filter(revision -> revision > NOTHING)
                .count();
    }
}
