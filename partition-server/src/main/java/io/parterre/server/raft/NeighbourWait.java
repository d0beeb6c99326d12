package io.parterre.server.raft;

import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.FrozenRange;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a range that takes in its neighbour to it. While a node runs, the neighbour is frozen by
 * then. After a start it may still be about to apply its log, and need help: its own Raft group may
 * be gone on all other members. What is committed in the log of the range that takes it in says
 * that the freeze is committed, and that this node had it on disk. Safe for any thread.
 */
final class NeighbourWait {
    private static final Logger LOG = LoggerFactory.getLogger(NeighbourWait.class);
    private static final Duration POLL = Duration.ofMillis(2);

    private final Function<RangeId, Optional<Replica>> replicas;
    private final Duration standstillMax;
    private final LongSupplier nanoTicker;
    private final BooleanSupplier closing;

    /**
     * Waits of a node.
     *
     * @param standstillMax for a neighbour that does not get on
     */
    NeighbourWait(
            Function<RangeId, Optional<Replica>> replicas,
            Duration standstillMax,
            LongSupplier nanoTicker,
            BooleanSupplier closing) {
        this.replicas = replicas;
        this.standstillMax = standstillMax;
        this.nanoTicker = nanoTicker;
        this.closing = closing;
    }

    /**
     * The neighbour, frozen.
     *
     * @param freezeIndex entry of its log up to which it has to be applied
     * @throws NoNeighbourException if it is not there, or does not get there
     * @throws CancellationException if the node closes, or the replica that waits is to end
     */
    FrozenRange await(RangeDescriptor right, long freezeIndex) {
        long sinceNanos = nanoTicker.getAsLong();
        long appliedIndex = -1;
        boolean told = false;
        while (true) {
            Replica replica =
                    replicas.apply(right.rangeId()).orElseThrow(() -> none(right, "none"));
            Optional<FrozenRange> frozen = replica.stateMachine().rows().frozen(right);
            if (frozen.isPresent()) {
                return frozen.get();
            }
            if (closing.getAsBoolean() || isLeftEnding(right)) {
                throw new CancellationException("the node closes, or the replica is removed");
            }
            if (!told) {
                LOG.info(
                        "waits for its neighbour rangeId={} freezeIndex={}",
                        right.rangeId(),
                        freezeIndex);
                told = true;
            }
            if (replica.descriptor().generation().compareTo(right.generation()) > 0) {
                throw none(right, "at generation " + replica.descriptor().generation());
            }
            replica.log().knownCommitted(freezeIndex);
            if (replica.appliedIndex() > appliedIndex || isToBegin(replica)) {
                appliedIndex = replica.appliedIndex();
                sinceNanos = nanoTicker.getAsLong();
            } else if (nanoTicker.getAsLong() - sinceNanos > standstillMax.toNanos()) {
                throw none(right, "at " + appliedIndex);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /** Who ends the replica that waits holds what its neighbour may need to begin. */
    private boolean isLeftEnding(RangeDescriptor right) {
        return right.frozenFor()
                .flatMap(replicas)
                .filter(left -> left.stateMachine().group().isEnding())
                .isPresent();
    }

    /** A node with many replicas takes its time until each has its group; none stands still. */
    private static boolean isToBegin(Replica replica) {
        return !replica.hasGroup()
                && !replica.stateMachine().group().isEnding()
                && replica.damage().isEmpty();
    }

    private static NoNeighbourException none(RangeDescriptor right, String found) {
        return new NoNeighbourException(
                "neighbour " + right + " to be absorbed: " + found + " (expected: frozen)");
    }
}
