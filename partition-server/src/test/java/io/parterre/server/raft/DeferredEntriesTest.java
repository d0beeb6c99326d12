package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.Thaw;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.NotFrozenYetException;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.lifecycle.DeferredApply.Neighbour;
import io.parterre.server.lifecycle.DeferredApply.NeighbourState;
import io.parterre.server.lifecycle.GroupLife;
import io.parterre.server.propose.EntryWriter;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposedEntry;
import io.parterre.server.replica.NeighbourWatch;
import io.parterre.server.replica.NoNeighbourException;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.store.StoreFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.MetadataProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.junit.jupiter.api.Test;

/** Entry 5 of range 1 absorbs range 2. */
final class DeferredEntriesTest {
    private static final RangeId LEFT = new RangeId(1);
    private static final long ABSORB = 5;
    private static final RangeDescriptor RIGHT =
            new RangeDescriptor(
                            new RangeId(2),
                            new KeyRange(Key.wrap(new byte[] {50}), Key.LAST),
                            Generation.FIRST,
                            List.of(new NodeId("a")))
                    .frozen(LEFT, Generation.FIRST);

    private final List<String> done = new ArrayList<>();
    private final List<StoreFailure> failures = new ArrayList<>();
    private final QueuedTasks tasks = new QueuedTasks();
    private final List<Runnable> alarms = new ArrayList<>();
    private final Map<Long, LogEntryProto> log = new HashMap<>();
    private final ReplicaGroup group =
            new ReplicaGroup(LEFT, new CompletableFuture<>(), () -> this.nanos, failures::add);
    private final NeighbourWatch watch =
            new NeighbourWatch(
                    wait -> this.neighbour,
                    () -> this.nanos,
                    () -> false,
                    tasks,
                    (delay, task) -> {
                        alarms.add(task);
                        return () -> alarms.remove(task);
                    });
    private final DeferredEntries entries =
            new DeferredEntries(
                    LEFT, group, new Applied(), this::read, watch, () -> done.add("resumed"));
    private Neighbour neighbour = neighbour(NeighbourState.BEHIND, 3);
    private long nanos;
    private boolean unreadable;
    private boolean copied;
    private long broken;

    private static Neighbour neighbour(NeighbourState state, long appliedIndex) {
        return new Neighbour(state, Generation.FIRST, appliedIndex);
    }

    private final class Applied implements DeferredEntries.Applier {
        @Override
        public void apply(LogEntryProto logged, Optional<ProposedEntry> own) {
            if (logged.getIndex() == ABSORB && neighbour.state() != NeighbourState.FROZEN) {
                throw new NotFrozenYetException(RIGHT, 9);
            }
            if (logged.getIndex() == broken) {
                throw new IllegalStateException("broken");
            }
            done.add("applied " + logged.getIndex());
        }

        @Override
        public void pass(AppliedPosition position) {
            done.add("passed " + position.index());
        }

        @Override
        public boolean isCopied(long index) {
            return copied;
        }

        @Override
        public void lacksNeighbour(AppliedPosition position, NoNeighbourException why) {
            done.add("lacks neighbour " + position.index());
            group.on(GroupLife.Event.STOPPED);
        }
    }

    private LogEntryProto read(long index) throws RaftLogIOException {
        if (unreadable) {
            throw new RaftLogIOException("damaged");
        }
        return log.get(index);
    }

    private void hand(long index) {
        hand(index, Optional.empty());
    }

    private void hand(long index, Optional<ProposedEntry> own) {
        LogEntryProto logged =
                LogEntryProto.newBuilder()
                        .setTerm(1)
                        .setIndex(index)
                        .setStateMachineLogEntry(StateMachineLogEntryProto.getDefaultInstance())
                        .build();
        log.put(index, logged);
        entries.apply(logged, own);
    }

    private void handRatisOwn(long index) {
        log.put(
                index,
                LogEntryProto.newBuilder()
                        .setTerm(1)
                        .setIndex(index)
                        .setMetadataEntry(MetadataProto.getDefaultInstance())
                        .build());
        entries.pass(new AppliedPosition(1, index));
    }

    private void ring() {
        List.copyOf(alarms).forEach(Runnable::run);
        tasks.run();
    }

    private static ProposedEntry proposed() {
        Command command =
                Command.newBuilder()
                        .setSenderId(1)
                        .setSequence(1)
                        .setThaw(Thaw.newBuilder().setGeneration(3))
                        .build();
        return new ProposedEntry(
                1,
                List.of(new Proposal(command, CommandCodec.fromProto(command), result -> {})),
                new EntryWriter(new ClusterLevel(FeatureLevel.FIRST), new Random(1)));
    }

    @Test
    void entriesAreAppliedAtOnce_whileNothingIsDeferred() {
        hand(3);
        handRatisOwn(4);
        assertThat(done).containsExactly("applied 3", "passed 4");
        assertThat(entries.isDeferred()).isFalse();
    }

    @Test
    void handOverGoesOn_whileNeighbourIsBehind() {
        hand(ABSORB);
        hand(6);
        handRatisOwn(7);
        tasks.run();
        ring();
        assertThat(entries.isDeferred()).isTrue();
        assertThat(done).isEmpty();
    }

    @Test
    void deferredEntriesAreAppliedInOrder_onceNeighbourIsFrozen() {
        hand(ABSORB);
        hand(6);
        handRatisOwn(7);
        tasks.run();
        hand(8);
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        watch.changed(RIGHT);
        tasks.run();
        assertThat(done)
                .containsExactly("applied 5", "applied 6", "passed 7", "applied 8", "resumed");
        assertThat(entries.isDeferred()).isFalse();
        hand(9);
        assertThat(done).endsWith("resumed", "applied 9");
    }

    @Test
    void replicaLooksAgain_whenNoSignalComes() {
        hand(ABSORB);
        tasks.run();
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        assertThat(alarms).hasSize(1);
        ring();
        assertThat(done).containsExactly("applied 5", "resumed");
        assertThat(alarms).isEmpty();
    }

    @Test
    void proposerWaits_untilItsDeferredEntryIsApplied() {
        ProposedEntry own = proposed();
        assertThat(own.settled()).isCompleted();
        hand(ABSORB);
        hand(6, Optional.of(own));
        tasks.run();
        assertThat(own.settled()).isNotDone();
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        ring();
        assertThat(own.settled()).isCompleted();
    }

    @Test
    void replicaStopsAndAnswersProposers_whenItIsToEnd() {
        ProposedEntry own = proposed();
        group.on(GroupLife.Event.STARTED);
        hand(ABSORB, Optional.of(own));
        tasks.run();
        group.on(GroupLife.Event.END_ASKED);
        entries.signal();
        tasks.run();
        assertThat(group.hasStopped()).isTrue();
        assertThat(own.settled()).isCompleted();
        assertThat(entries.isDeferred()).isFalse();
        assertThat(done).isEmpty();
    }

    @Test
    void replicaNeedsCopy_whenNeighbourStandsStill() {
        hand(ABSORB);
        tasks.run();
        nanos = NeighbourWatch.STANDSTILL_MAX.toNanos();
        ring();
        assertThat(entries.isDeferred()).isTrue();
        nanos++;
        ring();
        assertThat(done).containsExactly("lacks neighbour 5");
        assertThat(entries.isDeferred()).isFalse();
    }

    /** The neighbour goes with the copy, before Ratis takes note of that. */
    @Test
    void replicaNeedsNoOtherCopy_whileCopyTakesItsPlace() {
        hand(ABSORB);
        tasks.run();
        copied = true;
        neighbour = Neighbour.GONE;
        ring();
        ring();
        assertThat(done).isEmpty();
        assertThat(entries.isDeferred()).isTrue();
        assertThat(alarms).hasSize(1);
        // Ratis starts again from it.
        entries.end();
        assertThat(alarms).isEmpty();
        assertThat(group.hasStopped()).isFalse();
    }

    /** Ratis drops the log that a copy has made superfluous. */
    @Test
    void replicaGoesOn_whenCopyHasDroppedTheEntryThatIsRead() {
        group.on(GroupLife.Event.STARTED);
        hand(ABSORB);
        unreadable = true;
        copied = true;
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        tasks.run();
        assertThat(group.hasStopped()).isFalse();
        assertThat(failures).isEmpty();
        assertThat(entries.isDeferred()).isTrue();
        assertThat(alarms).hasSize(1);
    }

    @Test
    void replicaStops_whenDeferredEntryCannotBeRead() {
        group.on(GroupLife.Event.STARTED);
        hand(ABSORB);
        unreadable = true;
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        tasks.run();
        assertThat(group.hasStopped()).isTrue();
        assertThat(failures).hasSize(1);
        assertThat(entries.isDeferred()).isFalse();
    }

    /** What a copy holds is not handed over again, and what follows it is. */
    @Test
    void entriesHandedOverBeforeACopyAreDropped() {
        hand(ABSORB);
        hand(6);
        hand(7);
        entries.end();
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        tasks.run();
        assertThat(done).isEmpty();
        hand(7);
        assertThat(done).containsExactly("applied 7");
    }

    @Test
    void entryWaitsForTheLog_whileCopyTakesItsPlace() {
        hand(ABSORB);
        log.clear();
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        tasks.run();
        assertThat(done).isEmpty();
        assertThat(entries.isDeferred()).isTrue();
        assertThat(alarms).hasSize(1);
    }

    /** The neighbour is gone once it is absorbed. */
    @Test
    void replicaTakesTurnsAndGoesOn_whenItHasMuchToApply() {
        long last = ABSORB + DeferredEntries.TURN_MAX;
        for (long index = ABSORB; index <= last; index++) {
            hand(index);
        }
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        tasks.runNext();
        assertThat(done).hasSize(DeferredEntries.TURN_MAX);
        assertThat(tasks.size()).isEqualTo(1);
        neighbour = Neighbour.GONE;
        tasks.run();
        assertThat(done).endsWith("applied " + last, "resumed").hasSize((int) last - 3);
        assertThat(alarms).isEmpty();
    }

    @Test
    void replicaStops_whenDeferredEntryThrowsOtherwise() {
        group.on(GroupLife.Event.STARTED);
        hand(ABSORB);
        hand(6);
        broken = 6;
        neighbour = neighbour(NeighbourState.FROZEN, 9);
        tasks.run();
        assertThat(done).containsExactly("applied 5");
        assertThat(group.hasStopped()).isTrue();
        assertThat(failures).hasSize(1);
        assertThat(entries.isDeferred()).isFalse();
    }
}
