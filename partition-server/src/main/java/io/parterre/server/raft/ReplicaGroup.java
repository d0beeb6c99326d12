package io.parterre.server.raft;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.GroupLife;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.LeadershipConfirmation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica's membership in its Raft group: whether it serves, is to end or has stopped, and
 * whether an end of the group is expected or a failure of the node. Safe for any thread; never
 * blocks, except where a method says so.
 */
public final class ReplicaGroup {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaGroup.class);

    private final RangeId rangeId;
    private final RaftGroupId groupId;
    private final CompletableFuture<RaftServer> server;
    private final LongSupplier nanoTicker;
    private final Consumer<StoreFailure> onFailure;
    private final AtomicReference<GroupLife> life = new AtomicReference<>(GroupLife.STARTING);
    private volatile OptionalLong removedNanos = OptionalLong.empty();

    /**
     * Creates the membership of a replica that starts.
     *
     * @param server ends once Ratis has initialized the replica
     * @param onFailure called with a failure that must end the node
     */
    ReplicaGroup(
            RangeId rangeId,
            CompletableFuture<RaftServer> server,
            LongSupplier nanoTicker,
            Consumer<StoreFailure> onFailure) {
        this.rangeId = rangeId;
        this.groupId = RaftGroupId.valueOf(rangeId.groupId());
        this.server = server;
        this.nanoTicker = nanoTicker;
        this.onFailure = onFailure;
    }

    /** Handles an event. Returns the state before it. */
    GroupLife on(GroupLife.Event event) {
        return life.getAndUpdate(now -> now.on(event));
    }

    /** Marks the group as running: from here on an end without a request is a failure. */
    void started() {
        on(GroupLife.Event.STARTED);
    }

    GroupLife life() {
        return life.get();
    }

    /** Whether nothing is applied any more, so that the rows fall behind the commit index. */
    public boolean hasStopped() {
        return life.get().hasStopped();
    }

    /**
     * Whether the end was requested. To wait for the end is then to wait for the entry that is
     * being applied.
     */
    public boolean isEnding() {
        return life.get().isEnding();
    }

    /**
     * Returns the group as Ratis has it; waits until Ratis has initialized the replica.
     *
     * @throws IOException if the group is gone
     */
    RaftServer.Division division() throws IOException {
        return server.join().getDivision(groupId);
    }

    /**
     * Returns the group, or empty if Ratis has not initialized the replica or the group is gone.
     */
    private Optional<RaftServer.Division> running() {
        RaftServer known = server.getNow(null);
        if (known == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(known.getDivision(groupId));
        } catch (IOException gone) {
            LOG.debug("group is gone rangeId={}", rangeId, gone);
            return Optional.empty();
        }
    }

    /** Sends the commit index to followers now, if this replica leads. */
    void tellCommitted() {
        running().ifPresent(LeadershipConfirmation::ask);
    }

    /**
     * Stops applying for good, because later entries build upon the one that failed. Entries pass
     * without effect and outcome until the group has ended. Nothing is thrown into Ratis 3.3.0's
     * updater. If the group is being closed at the same moment, the updater would neither end nor
     * apply after that, and the closing thread would wait for it for ever.
     */
    void failed(String operation, long index, Throwable failure) {
        fails(operation, index, failure, on(GroupLife.Event.STOPPED));
    }

    /**
     * Reports a failure after applying has stopped.
     *
     * @param before state before the stop
     */
    void fails(String operation, long index, Throwable failure, GroupLife before) {
        report(operation, index, failure);
        if (before == GroupLife.SERVING) {
            end();
        }
    }

    /** Logs a failure and has the node end. */
    void report(String operation, long index, Throwable failure) {
        LOG.error("replica stopped rangeId={} index={}", rangeId, index, failure);
        onFailure.accept(new StoreFailure(operation + " of range " + rangeId, failure));
    }

    /** Called when Ratis can no longer write the log. */
    void logFailed(Throwable cause) {
        LOG.error("raft log failed rangeId={}", rangeId, cause);
        onFailure.accept(new StoreFailure("raft log of range " + rangeId, cause));
    }

    /**
     * Ends the group on a separate thread, because the end waits for the updater, which may be the
     * caller.
     */
    void end() {
        if (!server.isDone()) {
            return;
        }
        Thread thread = new Thread(this::close, "partition-group-end");
        thread.setDaemon(true);
        thread.start();
    }

    private void close() {
        try {
            division().close();
        } catch (IOException gone) {
            LOG.debug("group is gone rangeId={}", rangeId, gone);
        }
    }

    /**
     * Called when Ratis has closed the group. Ratis also ends groups by itself, for example after
     * an internal error or a pause of many minutes, and never starts them again. The process would
     * stay, and the range would not be served. But a group whose member stood for election and was
     * told that it is no member is only to be removed.
     */
    void closed() {
        if (life.get() != GroupLife.SERVING) {
            return;
        }
        if (running().filter(division -> division.getInfo().isCandidate()).isPresent()) {
            LOG.warn("replica removed from its group rangeId={}", rangeId);
            removedNanos = OptionalLong.of(nanoTicker.getAsLong());
            return;
        }
        LOG.error("raft group ended by itself rangeId={}", rangeId);
        onFailure.accept(
                new StoreFailure(
                        "raft group of range " + rangeId,
                        new IllegalStateException("the group ended by itself")));
    }

    /**
     * Whether the group ended longer than {@code patience} ago because it was told that it is no
     * member.
     */
    public boolean isRemovedFor(Duration patience) {
        OptionalLong since = removedNanos;
        return since.isPresent() && nanoTicker.getAsLong() - since.getAsLong() > patience.toNanos();
    }
}
