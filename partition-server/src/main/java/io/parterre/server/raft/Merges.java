package io.parterre.server.raft;

import io.parterre.proto.range.Absorb;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.Freeze;
import io.parterre.proto.range.SetMembers;
import io.parterre.proto.range.Thaw;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Outcome;
import io.parterre.server.change.EndedMerges;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.command.Member;
import io.parterre.server.command.MemberCodec;
import io.parterre.server.metrics.PartitionServerMetrics.MemberStep;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges ranges that this node leads, as ordered: the right one is frozen, all members have applied
 * that, and one entry of the left one's log joins the two. Whether they are joined is decided by
 * that log alone. What does not come to its end in time is given up there first, by another
 * generation, and only then is the right one thawed. Nothing here blocks. Safe for any thread.
 */
final class Merges {
    private static final Logger LOG = LoggerFactory.getLogger(Merges.class);

    private static final long HERE_POLL_MILLIS = 2;

    private final RaftHost host;
    private final RangeChanges ranges;
    private final OwnCommands commands;
    private final MemberProgress progress;
    private final Duration pauseMax;
    private final LongSupplier nanoTicker;
    private final EndedMerges ended = new EndedMerges();

    /**
     * Merges on this node.
     *
     * @param pauseMax for how long a range is frozen at most before the merge is given up
     */
    Merges(
            RaftHost host,
            RangeChanges ranges,
            OwnCommands commands,
            MemberProgress progress,
            Duration pauseMax,
            LongSupplier nanoTicker) {
        this.host = host;
        this.ranges = ranges;
        this.commands = commands;
        this.progress = progress;
        this.pauseMax = pauseMax;
        this.nanoTicker = nanoTicker;
    }

    /**
     * Begins a merge; does not wait for the end.
     *
     * @param right what this node has of the right one
     * @return what it made of the order, or of the same order before; empty: nothing, for it does
     *     not lead the left one
     */
    Optional<MergeOrder.Verdict> merge(Replica left, MergeOrder order, Optional<Replica> right)
            throws IOException {
        if (!left.isLeading()) {
            return Optional.empty();
        }
        Optional<MergeOrder.Verdict> before = ended.answer(order, nanoTicker.getAsLong());
        if (before.isPresent()) {
            return before;
        }
        MergeOrder.Verdict verdict = verdict(left, order, right);
        LOG.debug(
                "merge ordered rangeId={} generation={} rightRangeId={} verdict={}",
                order.leftId(),
                order.leftFrom(),
                order.rightId(),
                verdict);
        if (verdict == MergeOrder.Verdict.MERGE) {
            // Both, so that nothing else of either is under way.
            ranges.begin(
                    left,
                    MemberStep.BOUNDS,
                    () -> {
                        CompletableFuture<Boolean> end = new CompletableFuture<>();
                        boolean begun =
                                ranges.begin(
                                        right.get(),
                                        MemberStep.BOUNDS,
                                        () -> {
                                            run(left, order, right.get())
                                                    .whenComplete(
                                                            (changed, failure) ->
                                                                    end(end, changed, failure));
                                            return end;
                                        });
                        if (!begun) {
                            end.complete(false);
                        }
                        return end;
                    });
        } else if (verdict == MergeOrder.Verdict.THAW) {
            thaw(right.get(), right.get().descriptor().generation());
        }
        return Optional.of(verdict);
    }

    /** Lets a range that is frozen at a generation take and serve requests again. */
    void thaw(Replica replica, Generation frozen) {
        ranges.begin(replica, MemberStep.BOUNDS, () -> proposeThaw(replica, frozen));
    }

    private MergeOrder.Verdict verdict(Replica left, MergeOrder order, Optional<Replica> right)
            throws IOException {
        return order.verdict(
                side(left), right.isPresent() ? Optional.of(side(right.get())) : Optional.empty());
    }

    private MergeOrder.Side side(Replica replica) throws IOException {
        // Before the descriptor: a group that is gone is of a range that was absorbed meanwhile.
        RaftHost.Peers peers = host.peers(replica.groupId());
        return new MergeOrder.Side(
                replica.descriptor(), replica.isLeading(), peers.current(), peers.previous());
    }

    private static void end(CompletableFuture<Boolean> end, Boolean changed, Throwable failure) {
        if (failure == null) {
            end.complete(changed);
        } else {
            end.completeExceptionally(failure);
        }
    }

    private CompletableFuture<Boolean> run(Replica left, MergeOrder order, Replica right) {
        try {
            // Again, since from here on nothing else of the two is under way.
            if (verdict(left, order, Optional.of(right)) != MergeOrder.Verdict.MERGE) {
                return CompletableFuture.completedFuture(false);
            }
        } catch (IOException gone) {
            return CompletableFuture.failedFuture(gone);
        }
        LOG.info(
                "merge begins rangeId={} generation={} rightRangeId={} frozen={}",
                order.leftId(),
                order.leftFrom(),
                order.rightId(),
                right.descriptor().isFrozen());
        return new Run(left, order, right)
                .start()
                .thenApply(
                        verdict -> {
                            ended.ended(order, verdict, nanoTicker.getAsLong());
                            return true;
                        });
    }

    private CompletableFuture<Boolean> proposeThaw(Replica right, Generation frozen) {
        if (!right.descriptor().generation().equals(frozen) || !right.descriptor().isFrozen()) {
            return CompletableFuture.completedFuture(false);
        }
        Command command =
                commands.named(
                        Command.newBuilder()
                                .setThaw(Thaw.newBuilder().setGeneration(frozen.next().value())));
        return commands.propose(right, command)
                .thenApply(
                        outcome -> {
                            LOG.info(
                                    "range thawed rangeId={} outcome={}", right.groupId(), outcome);
                            return outcome instanceof Outcome.RangeThawed thawed && thawed.done();
                        });
    }

    /** One merge, from the question whether all members are there to its end. */
    private final class Run {
        private final Replica left;
        private final MergeOrder order;
        private final Replica right;

        /** From when the right one may be frozen; of one thread after the other. */
        private volatile long beganNanos;

        /** All members have applied the right one's log up to here, frozen. */
        private volatile long freezeIndex;

        Run(Replica left, MergeOrder order, Replica right) {
            this.left = left;
            this.order = order;
            this.right = right;
        }

        CompletableFuture<MergeOrder.Verdict> start() {
            if (right.descriptor().isFrozen()) {
                return afterFreeze();
            }
            beganNanos = nanoTicker.getAsLong();
            // Before anything is held up: a member that is away would have it undone.
            return allAt(right.appliedIndex())
                    .handle((level, failure) -> failure == null)
                    .thenCompose(
                            level ->
                                    level
                                            ? afterFreeze()
                                            : CompletableFuture.completedFuture(
                                                    MergeOrder.Verdict.MEMBER_BEHIND));
        }

        private CompletableFuture<MergeOrder.Verdict> afterFreeze() {
            beganNanos = nanoTicker.getAsLong();
            return bounded(frozen())
                    .thenCompose(
                            frozen -> {
                                freezeIndex = right.appliedIndex();
                                return allAt(freezeIndex);
                            })
                    .handle((level, failure) -> failed("freeze", failure))
                    .thenCompose(
                            failed -> failed ? undo(MergeOrder.Verdict.MEMBER_BEHIND) : absorb());
        }

        private boolean failed(String step, Throwable failure) {
            if (failure != null) {
                LOG.warn(
                        "merge not done rangeId={} rightRangeId={} step={} failure={}",
                        order.leftId(),
                        order.rightId(),
                        step,
                        failure.toString());
            }
            return failure != null;
        }

        private Duration timeLeft() {
            long passed = nanoTicker.getAsLong() - beganNanos;
            return Duration.ofNanos(Math.max(1, pauseMax.toNanos() - passed));
        }

        /** The same, or a failure when the time is up; what was proposed may take effect later. */
        private <T> CompletableFuture<T> bounded(CompletableFuture<T> step) {
            return step.copy().orTimeout(timeLeft().toNanos(), TimeUnit.NANOSECONDS);
        }

        private CompletableFuture<Void> frozen() {
            if (order.isFrozenForThis(right.descriptor())) {
                return CompletableFuture.completedFuture(null);
            }
            Command command =
                    commands.named(
                            Command.newBuilder()
                                    .setFreeze(
                                            Freeze.newBuilder()
                                                    .setGeneration(order.rightFrom().next().value())
                                                    .setLeftRangeId(order.leftId().value())
                                                    .setLeftGeneration(order.leftFrom().value())));
            return commands.propose(right, command)
                    .thenAccept(
                            outcome -> {
                                require(order.isFrozenForThis(right.descriptor()), outcome);
                                spread(right, command);
                            });
        }

        /** The others hear that an entry is committed with the next one. */
        private void spread(Replica replica, Command command) {
            if (!replica.followers().isEmpty()) {
                commands.propose(replica, command);
            }
        }

        private static void require(boolean done, Outcome outcome) {
            if (!done) {
                throw new CompletionException(new IOException("not done: " + outcome));
            }
        }

        /** Ends once all members have applied the right one's log up to an entry. */
        private CompletableFuture<Void> allAt(long index) {
            Duration wait = timeLeft();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            all.add(here(index));
            for (Member member : right.range().members()) {
                if (!member.nodeId().value().equals(right.selfId())) {
                    all.add(at(member, index, wait));
                }
            }
            return bounded(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)));
        }

        /** What a majority has on disk is applied, and this node's disk may be slower. */
        private CompletableFuture<Void> here(long index) {
            if (right.hasDurably(index)) {
                return CompletableFuture.completedFuture(null);
            }
            if (timeLeft().toNanos() <= 1) {
                return CompletableFuture.failedFuture(new IOException("this node is behind"));
            }
            return CompletableFuture.supplyAsync(
                            () -> here(index),
                            CompletableFuture.delayedExecutor(
                                    HERE_POLL_MILLIS, TimeUnit.MILLISECONDS))
                    .thenCompose(next -> next);
        }

        private CompletableFuture<Void> at(Member member, long index, Duration wait) {
            Optional<RangeId> frozenFor = right.descriptor().frozenFor();
            return progress.await(member, order.rightId(), index, wait)
                    .thenAccept(
                            applied -> {
                                boolean there =
                                        applied.appliedIndex() >= index
                                                && applied.frozenFor().equals(frozenFor);
                                if (!there) {
                                    throw new CompletionException(
                                            new IOException(
                                                    "member "
                                                            + member.nodeId()
                                                            + " is at "
                                                            + applied
                                                            + " (expected: "
                                                            + index
                                                            + ")"));
                                }
                            });
        }

        private CompletableFuture<MergeOrder.Verdict> absorb() {
            RangeDescriptor frozen = right.descriptor();
            if (!order.isFrozenForThis(frozen)) {
                return undo(MergeOrder.Verdict.NOT_JOINED);
            }
            Command command =
                    commands.named(
                            Command.newBuilder()
                                    .setAbsorb(
                                            Absorb.newBuilder()
                                                    .setGeneration(order.joined().value())
                                                    .setLeftGeneration(order.leftFrom().value())
                                                    .setRight(DescriptorCodec.toProto(frozen))
                                                    .setFreezeIndex(freezeIndex)));
            return bounded(commands.propose(left, command))
                    .handle(
                            (outcome, failure) -> {
                                failed("absorb", failure);
                                return outcome instanceof Outcome.RangeAbsorbed absorbed
                                        && absorbed.done();
                            })
                    .thenCompose(
                            joined -> {
                                if (!joined) {
                                    return undo(MergeOrder.Verdict.NOT_JOINED);
                                }
                                spread(left, command);
                                LOG.info(
                                        "merge done rangeId={} rightRangeId={} tookMillis={}",
                                        order.leftId(),
                                        order.rightId(),
                                        TimeUnit.NANOSECONDS.toMillis(
                                                nanoTicker.getAsLong() - beganNanos));
                                return CompletableFuture.completedFuture(MergeOrder.Verdict.DONE);
                            });
        }

        /**
         * Gives the merge up in the left one's log, so that nothing that was proposed before joins
         * them any more, and then thaws the right one. What fails here is left to the manager.
         */
        private CompletableFuture<MergeOrder.Verdict> undo(MergeOrder.Verdict why) {
            HostedRange range = left.range();
            SetMembers fence =
                    SetMembers.newBuilder()
                            .setGeneration(order.leftFrom().next().value())
                            .addAllMembers(
                                    range.members().stream()
                                            .filter(
                                                    member ->
                                                            range.descriptor()
                                                                    .members()
                                                                    .contains(member.nodeId()))
                                            .map(MemberCodec::toProto)
                                            .toList())
                            .build();
            return commands.propose(left, commands.named(Command.newBuilder().setSetMembers(fence)))
                    .thenCompose(
                            outcome -> {
                                RangeDescriptor now = left.descriptor();
                                if (now.bounds().contains(right.descriptor().bounds())) {
                                    return CompletableFuture.completedFuture(
                                            MergeOrder.Verdict.DONE);
                                }
                                require(now.generation().compareTo(order.leftFrom()) > 0, outcome);
                                return proposeThaw(right, order.rightFrom().next())
                                        .thenApply(thawed -> why);
                            })
                    .exceptionally(
                            failure -> {
                                failed("undo", failure);
                                return why;
                            });
        }
    }
}
