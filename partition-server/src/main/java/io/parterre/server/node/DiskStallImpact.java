package io.parterre.server.node;

import io.parterre.range.RangeId;
import io.parterre.server.members.StallImpact;
import io.parterre.server.raft.RaftHost;
import io.parterre.server.raft.Replica;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Effects of a stalled disk on the ranges of this node, and the leadership that the node gives up
 * for that. Safe for any thread, except where a method says otherwise.
 */
public final class DiskStallImpact {
    private final ReplicaNode node;
    private final Consumer<Replica> stepDown;
    private final Map<RangeId, Replica> replicas;
    private final LongSupplier nanoTicker;
    private final Duration electionTimeoutMax;

    /**
     * Creates the impact for a node.
     *
     * @param stepDown gives up leadership of a range; waits for nothing
     */
    DiskStallImpact(ReplicaNode node, Consumer<Replica> stepDown, Duration electionTimeoutMax) {
        this.node = node;
        this.stepDown = stepDown;
        this.replicas = node.replicas().live();
        this.nanoTicker = node.nanoTicker();
        this.electionTimeoutMax = electionTimeoutMax;
    }

    /**
     * Returns the longest time for which the log of a replica has stood still with something to
     * write. Called by one thread at a time; may wait for a thread that holds a log's lock.
     */
    public Duration logBacklogAge() {
        long nowNanos = nanoTicker.getAsLong();
        Duration longest = Duration.ZERO;
        for (Replica replica : replicas.values()) {
            Duration age = replica.log().backlogAge(nowNanos);
            longest = age.compareTo(longest) > 0 ? age : longest;
        }
        return longest;
    }

    /**
     * Returns the ranges that go on without this node, as far as it knows: enough other members to
     * decide have on disk what is on no disk of this node. Never blocks.
     */
    public Set<RangeId> rangesThatSurviveWithoutNode() {
        long nowNanos = nanoTicker.getAsLong();
        return replicas.entrySet().stream()
                .filter(each -> isDispensable(each.getValue(), nowNanos))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean isDispensable(Replica replica, long nowNanos) {
        if (replica.isJoining() || replica.damage().isPresent() || !replica.log().isAlive()) {
            return true;
        }
        OptionalLong awaited = replica.log().awaitedIndex();
        if (awaited.isEmpty()) {
            // The replica's group has just ended.
            return true;
        }
        return new StallImpact(replica.descriptor().members(), awaited.getAsLong())
                .survivesWithoutNode(
                        replica.followers(),
                        replica.reads().catchUp().lastHeard(),
                        nowNanos,
                        electionTimeoutMax);
    }

    /** Whether this node leads the range, even if it is not ready to serve. */
    public static boolean isLed(Replica replica) {
        return replica.leaderHint().filter(replica.selfId()::equals).isPresent();
    }

    /**
     * Gives up leadership of these ranges, and leaves their next elections to the other members for
     * a while; waits for nothing.
     */
    public void stepDown(Predicate<RangeId> which) {
        replicas.forEach(
                (rangeId, replica) -> {
                    if (which.test(rangeId) && isLed(replica) && !replica.isAlone()) {
                        stepDown.accept(replica);
                    }
                });
    }

    /**
     * Stands for election again in the groups that {@link #stepDown} left to others; waits for
     * nothing.
     */
    public void allowCandidacy() {
        RaftHost running = node.host();
        if (running != null) {
            running.allowCandidacy();
        }
    }
}
