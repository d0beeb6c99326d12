package io.parterre.server;

import io.parterre.range.RangeId;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What replicas lack to serve their ranges, or to do without this node. Stateless. */
final class ReplicaReadiness {
    private static final Duration BEHIND_MAX = Duration.ofSeconds(2);

    /** A range that is written to faster than it is applied does not keep the node from serving. */
    private static final Duration CATCH_UP_MAX = Duration.ofMinutes(2);

    private ReplicaReadiness() {}

    /** Empty: nothing. */
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
                                !replica.catchUp().hasCaughtUp(nowNanos, BEHIND_MAX, CATCH_UP_MAX));
        return behind.isEmpty()
                ? Optional.empty()
                : Optional.of("ranges whose replica here is behind: " + behind);
    }

    /** Why the node cannot be spared, whatever the managers know; empty: it may be spared. */
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
