package io.parterre.server;

import io.parterre.range.RangeId;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Determines whether replicas can serve their ranges, and whether ranges need this node. Stateless.
 */
final class ReplicaReadiness {
    private static final Duration BEHIND_MAX = Duration.ofSeconds(2);

    /**
     * Limits how long a replica that is behind keeps the node from being ready. A range may be
     * written to faster than its entries are applied.
     */
    private static final Duration CATCH_UP_MAX = Duration.ofMinutes(2);

    private ReplicaReadiness() {}

    /**
     * Returns the ranges without a known leader, or those whose replica here is behind; empty:
     * there are none.
     */
    static Optional<String> trouble(Replicas replicas) {
        List<RangeId> leaderless = ranges(replicas, replica -> replica.leaderHint().isEmpty());
        if (!leaderless.isEmpty()) {
            return Optional.of("ranges without a known leader: " + leaderless);
        }
        long nowNanos = replicas.nanoTicker().getAsLong();
        List<RangeId> behind =
                ranges(
                        replicas,
                        replica ->
                                !replica.reads()
                                        .catchUp()
                                        .hasCaughtUp(nowNanos, BEHIND_MAX, CATCH_UP_MAX));
        return behind.isEmpty()
                ? Optional.empty()
                : Optional.of("ranges whose replica here is behind: " + behind);
    }

    /**
     * Returns the reason why the node cannot be spared, independent of the managers; empty: it may
     * be spared.
     */
    static Optional<String> indispensable(Replicas replicas) {
        List<RangeId> alone =
                ranges(replicas, replica -> replica.descriptor().members().size() == 1);
        return alone.isEmpty()
                ? Optional.empty()
                : Optional.of("ranges without another member: " + alone);
    }

    private static List<RangeId> ranges(Replicas replicas, Predicate<Replica> lack) {
        return replicas.all().stream()
                .filter(replica -> !replica.isJoining() && replica.damage().isEmpty())
                .filter(lack)
                .map(replica -> replica.descriptor().rangeId())
                .toList();
    }
}
