package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.entity.Ticks;
import io.parterre.error.BusyReason;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.CreateTable;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.load.CpuMeter;
import io.parterre.server.load.LoadMeter;
import io.parterre.server.propose.EntryWriter;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposalResult;
import io.parterre.server.propose.ProposedEntry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.junit.jupiter.api.Test;

final class ProposerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Outcome DONE = new Outcome.Fenced(Optional.empty());

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<ProposedEntry> entries = new ArrayList<>();
    private final List<CompletableFuture<Void>> futures = new ArrayList<>();
    private final List<ProposalResult> results = new ArrayList<>();

    private final ClusterLevel level = new ClusterLevel(new FeatureLevel(2));

    private final AtomicLong threadNanos = new AtomicLong();

    /** Measures all there is, and takes each for 32. */
    private final LoadMeter load = new LoadMeter(bound -> 0, threadNanos::get);

    private Proposer proposer(int packBytes, int inFlight, int commands, long bytes) {
        RaftConfig config =
                new RaftConfig(
                        "127.0.0.1",
                        0,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        packBytes,
                        inFlight,
                        commands,
                        bytes,
                        1);
        return new Proposer(
                config,
                new EntryWriter(level, new Random(7)),
                this::append,
                tasks::add,
                InstantSource.fixed(NOW),
                load.cpu());
    }

    private CompletableFuture<Void> append(ProposedEntry entry) {
        entries.add(entry);
        threadNanos.addAndGet(1_000);
        futures.add(new CompletableFuture<>());
        return futures.get(futures.size() - 1);
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private void apply(int entry) {
        entries.get(entry).markAppended();
        entries.get(entry)
                .applied(Collections.nCopies(entries.get(entry).entry().commands().size(), DONE));
        futures.get(entry).complete(null);
        run();
    }

    private Proposal proposal(int sequence) {
        Command message =
                Command.newBuilder()
                        .setSenderId(1)
                        .setSequence(sequence)
                        .setCreateTable(
                                CreateTable.newBuilder()
                                        .setKey(
                                                ByteString.copyFrom(
                                                        KeyCodec.tableDirectoryRow(
                                                                        new AccountId(7), "t")
                                                                .unsafeBytes()))
                                        .setName("t")
                                        .setTableId(11))
                        .build();
        return new Proposal(message, CommandCodec.fromProto(message), results::add);
    }

    private LogEntry decoded(int entry) {
        return LogEntryCodec.decode(ByteBuffer.wrap(entries.get(entry).bytes()));
    }

    private List<Long> sequences(int entry) {
        return entries.get(entry).entry().commands().stream()
                .map(command -> command.id().sequence())
                .toList();
    }

    @Test
    void commandIsProposedAtOnce_whenQueueIsEmpty() {
        Proposer proposer = proposer(1 << 20, 1, 10, 1 << 20);
        proposer.propose(proposal(1));
        run();

        assertThat(sequences(0)).containsExactly(1L);
        assertThat(entries.get(0).entry().stampTicks()).isEqualTo(Ticks.of(NOW));
        assertThat(decoded(0)).isEqualTo(entries.get(0).entry());
        assertThat(results).isEmpty();

        apply(0);
        assertThat(results).containsExactly(new ProposalResult.Applied(DONE));
        assertThat(load.totals().cpuNanos()).isEqualTo(1_000 * CpuMeter.ONE_OF);
        assertThat(proposer.heldCommands()).isZero();
    }

    /** A release that reads no more would end at the entry. */
    @Test
    void entriesAreWhitened_fromFeatureLevelThreeOn() {
        Proposer proposer = proposer(1 << 20, 9, 10, 1 << 20);
        proposer.propose(proposal(1));
        run();
        assertThat(entries.get(0).bytes()[0]).isEqualTo((byte) 1);

        level.raise(new FeatureLevel(3));
        for (int i = 2; i <= 3; i++) {
            apply(entries.size() - 1);
            proposer.propose(proposal(i));
            run();
        }
        for (int i = 1; i <= 2; i++) {
            assertThat(entries.get(i).bytes()[0]).isEqualTo((byte) 2);
            assertThat(decoded(i)).isEqualTo(entries.get(i).entry());
        }
        assertThat(Arrays.copyOfRange(entries.get(1).bytes(), 1, 9))
                .as("a seed of its own")
                .isNotEqualTo(Arrays.copyOfRange(entries.get(2).bytes(), 1, 9));
    }

    @Test
    void waitingCommandsShareNextLogEntry() {
        Proposer proposer = proposer(1 << 20, 1, 10, 1 << 20);
        proposer.propose(proposal(1));
        run();
        for (int i = 2; i <= 5; i++) {
            proposer.propose(proposal(i));
        }
        run();
        assertThat(entries).hasSize(1);

        apply(0);

        assertThat(entries).hasSize(2);
        assertThat(sequences(1)).containsExactly(2L, 3L, 4L, 5L);
    }

    @Test
    void entryBesideOthers_takesHalfAsManyCommandsAtLeast() {
        assertThat(Proposer.maySubmit(0, 2, 0, 1, false)).as("nothing in flight").isTrue();
        assertThat(Proposer.maySubmit(1, 2, 8, 4, false)).as("half").isTrue();
        assertThat(Proposer.maySubmit(1, 2, 8, 3, false)).as("fewer").isFalse();
        assertThat(Proposer.maySubmit(1, 2, 8, 3, true)).as("a full entry").isTrue();
        assertThat(Proposer.maySubmit(2, 2, 2, 9, true)).as("enough in flight").isFalse();
    }

    @Test
    void logEntriesInFlightStayWithinLimit() {
        Proposer proposer = proposer(1, 2, 10, 1 << 20);
        for (int i = 1; i <= 5; i++) {
            proposer.propose(proposal(i));
        }
        run();
        assertThat(entries).hasSize(2);

        apply(1);
        assertThat(entries).hasSize(3);
    }

    @Test
    void logEntryPacksCommandsUpToItsByteLimit() {
        int size = proposal(1).sizeBytes();
        Proposer proposer = proposer(2 * size, 10, 10, 1 << 20);
        for (int i = 1; i <= 5; i++) {
            proposer.propose(proposal(i));
        }
        run();
        apply(0);
        apply(1);

        assertThat(List.of(sequences(0), sequences(1), sequences(2)))
                .containsExactly(List.of(1L, 2L), List.of(3L, 4L), List.of(5L));
    }

    @Test
    void commandIsRejectedAsBusy_untilQueueHasRoom() {
        Proposer proposer = proposer(1 << 20, 1, 2, 1 << 20);
        proposer.propose(proposal(1));
        proposer.propose(proposal(2));
        proposer.propose(proposal(3));
        assertThat(results).containsExactly(new ProposalResult.Busy(BusyReason.RANGE_CAP));

        run();
        apply(0);
        proposer.propose(proposal(4));
        run();
        apply(1);
        assertThat(results.subList(1, 4)).containsOnly(new ProposalResult.Applied(DONE));
    }

    @Test
    void internalCommandIsAccepted_whenQueueIsFull() {
        int size = proposal(1).sizeBytes();
        Proposer proposer = proposer(1 << 20, 1, 2, 2 * size);
        proposer.propose(proposal(1));
        proposer.propose(proposal(2));
        Proposal own = proposal(3);
        proposer.propose(new Proposal(own.message(), own.command(), true, results::add));
        assertThat(results).isEmpty();
        proposer.propose(proposal(4));
        assertThat(results).containsExactly(new ProposalResult.Busy(BusyReason.RANGE_CAP));

        run();
        assertThat(sequences(0)).containsExactly(1L, 2L, 3L);
        apply(0);
        assertThat(proposer.heldCommands()).isZero();
        assertThat(results).hasSize(4);
    }

    @Test
    void commandIsRejectedAsBusy_whenQueueByteLimitIsReached() {
        int size = proposal(1).sizeBytes();
        Proposer proposer = proposer(1 << 20, 1, 10, 2 * size - 1);
        proposer.propose(proposal(1));
        proposer.propose(proposal(2));

        assertThat(results).containsExactly(new ProposalResult.Busy(BusyReason.RANGE_CAP));
    }

    @Test
    void proposalFailsAsNotLeader_whenLeadershipIsLostBeforeAppend() {
        proposer(1 << 20, 1, 10, 1 << 20).propose(proposal(1));
        run();

        futures.get(0).completeExceptionally(notLeader("node-2"));
        run();

        assertThat(results).containsExactly(new ProposalResult.NotLeader(Optional.of("node-2")));
    }

    @Test
    void proposalIsInDoubt_whenLeadershipIsLostAfterAppend() {
        proposer(1 << 20, 1, 10, 1 << 20).propose(proposal(1));
        run();

        entries.get(0).markAppended();
        futures.get(0).completeExceptionally(notLeader("node-2"));
        run();

        assertThat(results).containsExactly(new ProposalResult.InDoubt());
    }

    @Test
    void proposalIsBusy_whenLogIsFullBeforeAppend() {
        Proposer proposer = proposer(1, 2, 10, 1 << 20);
        proposer.propose(proposal(1));
        proposer.propose(proposal(2));
        run();

        entries.get(1).markAppended();
        futures.get(0).completeExceptionally(new ResourceUnavailableException("full"));
        futures.get(1).completeExceptionally(new ResourceUnavailableException("full"));
        run();

        assertThat(results)
                .containsExactly(
                        new ProposalResult.Busy(BusyReason.RANGE_CAP),
                        new ProposalResult.InDoubt());
    }

    @Test
    void proposalIsInDoubt_whenLogEntryEndsWithoutOutcomes() {
        proposer(1 << 20, 1, 10, 1 << 20).propose(proposal(1));
        run();

        futures.get(0).complete(null);
        run();

        assertThat(results).containsExactly(new ProposalResult.InDoubt());
    }

    @Test
    void otherCallersGetResults_whenOneCallbackThrows() {
        Proposer proposer = proposer(1 << 20, 1, 10, 1 << 20);
        Proposal first = proposal(1);
        proposer.propose(
                new Proposal(
                        first.message(),
                        first.command(),
                        result -> {
                            throw new IllegalStateException("trouble");
                        }));
        proposer.propose(proposal(2));
        run();
        apply(0);

        assertThat(results).containsExactly(new ProposalResult.Applied(DONE));
        assertThat(proposer.heldCommands()).isZero();
    }

    private static NotLeaderException notLeader(String leader) {
        RaftPeer peer = RaftPeer.newBuilder().setId(leader).setAddress("127.0.0.1:1").build();
        return new NotLeaderException(
                RaftGroupMemberId.valueOf(RaftPeerId.valueOf("node-1"), RaftGroupId.emptyGroupId()),
                peer,
                List.of(peer));
    }
}
