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
import org.apache.ratis.server.impl.CommitNews;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica's part in its Raft group: whether it serves, is to end or has stopped, and whether an
 * end of the group is as it should be or a failure of the node. Safe for any thread; never blocks.
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
     * The part of a replica that starts.
     *
     * @param server ends once Ratis has begun with the replica
     * @param onFailure told of what must end the node
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

    /** The state before the event. */
    GroupLife on(GroupLife.Event event) {
        return life.getAndUpdate(now -> now.on(event));
    }

    /** From here on an end of the group is a failure. */
    void started() {
        on(GroupLife.Event.STARTED);
    }

    GroupLife life() {
        return life.get();
    }

    /** Whether nothing is applied any more: the rows fall behind what is committed. */
    public boolean hasStopped() {
        return life.get().hasStopped();
    }

    /** Whether its end was asked for: who waits for it waits for what is applied now. */
    public boolean isEnding() {
        return life.get().isEnding();
    }

    /**
     * The group as Ratis has it; once Ratis has begun with the replica.
     *
     * @throws IOException if it is gone
     */
    RaftServer.Division division() throws IOException {
        return server.join().getDivision(groupId);
    }

    /** The same, where it may not have begun, or be gone. */
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

    /** Tells followers now what is committed, if it leads. */
    void tellCommitted() {
        running().ifPresent(CommitNews::send);
    }

    /**
     * Nothing is applied any more: what follows builds upon what could not be. Entries pass by with
     * no effect and no outcome until the group has ended. Nothing is thrown into Ratis 3.3.0's
     * updater: where the group is being closed at the same moment, the updater would neither end
     * nor apply after that, and who closes would wait for it for ever.
     */
    void failed(String operation, long index, Throwable failure) {
        fails(operation, index, failure, on(GroupLife.Event.STOPPED));
    }

    /** The same for one that has stopped already, in the state before. */
    void fails(String operation, long index, Throwable failure, GroupLife before) {
        report(operation, index, failure);
        if (before == GroupLife.SERVING) {
            end();
        }
    }

    /** Has the node end. */
    void report(String operation, long index, Throwable failure) {
        LOG.error("replica stopped rangeId={} index={}", rangeId, index, failure);
        onFailure.accept(new StoreFailure(operation + " of range " + rangeId, failure));
    }

    /** Ratis cannot write the log any more. */
    void logFailed(Throwable cause) {
        LOG.error("raft log failed rangeId={}", rangeId, cause);
        onFailure.accept(new StoreFailure("raft log of range " + rangeId, cause));
    }

    /** On a thread of its own: the end waits for the updater, which may be the caller. */
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
     * Ratis has closed the group. It also ends groups by itself, as after an error of its own or a
     * pause of many minutes, and never starts them again: the process would stay, and the range be
     * served no more. But one that stood for election and was told that it is no member any more is
     * just to be removed.
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

    /** Whether the group ended for longer than this since it was told that it is no member. */
    public boolean isRemovedFor(Duration patience) {
        OptionalLong since = removedNanos;
        return since.isPresent() && nanoTicker.getAsLong() - since.getAsLong() > patience.toNanos();
    }
}
