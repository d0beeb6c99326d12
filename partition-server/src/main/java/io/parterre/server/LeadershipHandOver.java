package io.parterre.server;

import io.parterre.range.RangeId;
import io.parterre.server.change.FollowerState;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.Replicas;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Has other members lead ranges that this node leads. Safe for any thread. */
final class LeadershipHandOver {
    private static final Duration POLL = Duration.ofMillis(5);
    private static final int TRANSFERS_BEFORE_STEPPING_DOWN = 2;

    /** After so many looks in vain it is asked for again. */
    private static final int POLLS = 40;

    private final Replicas replicas;

    LeadershipHandOver(Replicas replicas) {
        this.replicas = replicas;
    }

    /** Blocks until others lead all ranges that have other members, at most for this time. */
    void ofAll(Duration time) {
        long endNanos = replicas.nanoTicker().getAsLong() + time.toNanos();
        for (int polls = 0;
                leadsWithOthers() && replicas.nanoTicker().getAsLong() - endNanos < 0;
                polls++) {
            if (polls % POLLS == 0) {
                // In vain where one is under way; of those that could not be, one may be by now.
                askForOtherLeaders(rangeId -> true);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /**
     * Does not wait for the other leaders. A leadership that nobody can be given, as while a member
     * is being taken in, is given up.
     *
     * @param triedTimes how many times it was asked before
     */
    void of(Predicate<RangeId> which, int triedTimes) {
        if (triedTimes < TRANSFERS_BEFORE_STEPPING_DOWN) {
            askForOtherLeaders(which);
        } else {
            replicas.stalls().stepDown(which);
        }
    }

    private void askForOtherLeaders(Predicate<RangeId> which) {
        for (Replica replica : replicas.all()) {
            if (which.test(replica.descriptor().rangeId()) && replica.isLeading()) {
                replica.followers().stream()
                        .max(Comparator.comparingLong(FollowerState::matchIndex))
                        .ifPresent(successor -> transfer(replica, successor));
            }
        }
    }

    private void transfer(Replica replica, FollowerState successor) {
        replicas.led()
                .ifPresent(
                        led ->
                                led.transferLead(
                                        replica,
                                        replica.descriptor().generation(),
                                        successor.nodeId()));
    }

    private boolean leadsWithOthers() {
        return replicas.all().stream()
                .anyMatch(replica -> replica.isLeading() && !replica.followers().isEmpty());
    }
}
