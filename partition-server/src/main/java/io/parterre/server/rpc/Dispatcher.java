package io.parterre.server.rpc;

import io.parterre.error.BusyReason;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.command.CommandKeys;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposalResult;
import io.parterre.server.raft.Replica;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Passes each request to the part that answers it, after checking that the request belongs to a
 * replica here. Never blocks; safe for any thread. Any failure becomes an answer.
 */
final class Dispatcher implements AutoCloseable {
    private static final Duration GATE_RETRY = Duration.ofMillis(10);

    /** A lease is renewed, or lost, within about a heartbeat. */
    private static final Duration GATE_WAIT_MAX = Duration.ofMillis(500);

    private final Replicas replicas;
    private final ReadQueues reads;
    private final RangeCaps caps;
    private final RpcConfig config;
    private final Postponed postponed;
    private final LongSupplier nanoTicker;

    /**
     * Makes a dispatcher with threads of its own for reads.
     *
     * @param memory memory of requests and of answers that are not sent yet
     * @param answers sends answers
     */
    Dispatcher(
            Replicas replicas,
            RangeReads rows,
            RpcConfig config,
            MemoryBudget memory,
            TrampolineExecutor answers,
            ScheduledExecutorService scheduler,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.replicas = replicas;
        this.caps = new RangeCaps(config.rangeCaps(), nanoTicker);
        this.config = config;
        this.postponed = new Postponed(scheduler, GATE_RETRY);
        this.nanoTicker = nanoTicker;
        this.reads =
                new ReadQueues(
                        rows,
                        config,
                        memory,
                        answers,
                        metrics,
                        postponed,
                        this::awaitMerge,
                        nanoTicker);
    }

    int waitingPointReads() {
        return reads.waitingPointReads();
    }

    int waitingScans() {
        return reads.waitingScans();
    }

    /** Counts at its range a request that was refused before its range was looked up. */
    void refused(RangeRequest request) {
        if (!request.getFollowerRead()) {
            replicas.find(new RangeId(request.getRangeId()))
                    .ifPresent(replica -> replica.load().refuse());
        }
    }

    /**
     * Retries waiting requests at once, because a replica of the node has become a leader or its
     * range has changed.
     */
    void changed() {
        postponed.wake();
    }

    /** Drops the state of ranges that have no replica here any more. */
    void forgetGoneRanges() {
        caps.retain(rangeId -> replicas.find(rangeId).isPresent());
    }

    @Override
    public void close() {
        reads.close();
    }

    void dispatch(List<Call> calls) {
        long deadlineNanos = nanoTicker.getAsLong() + GATE_WAIT_MAX.toNanos();
        for (Call call : calls) {
            call.answering(() -> dispatch(call, deadlineNanos));
        }
        // Woken once for all calls, because a hand-over to another thread costs as much as a read.
        reads.wake();
    }

    /** Starts from the beginning, because another range may have the keys by now. */
    private void dispatchAgain(Call call, long deadlineNanos) {
        dispatch(call, deadlineNanos);
        reads.wake();
    }

    private void dispatch(Call call, long deadlineNanos) {
        RangeRequest request = call.request();
        if (replicas.find(new RangeId(request.getRangeId()))
                .filter(Replica::isFrozen)
                .isPresent()) {
            awaitMerge(call, deadlineNanos);
            return;
        }
        switch (request.getBodyCase()) {
            case READ_ROW ->
                    find(call, KeysAsked.ofRead(request), deadlineNanos)
                            .ifPresent(reads::enqueuePointRead);
            case SCAN ->
                    find(call, KeysAsked.ofScan(request.getScan()), deadlineNanos)
                            .ifPresent(reads::enqueueScan);
            case COMMAND -> propose(call, deadlineNanos);
            case BODY_NOT_SET -> throw new IllegalArgumentException("request: of unknown kind");
        }
    }

    /**
     * Waits while a merge settles. Soon it is known whether the keys belong to another range or
     * this range serves again.
     */
    private void awaitMerge(Call call, long deadlineNanos) {
        if (nanoTicker.getAsLong() - deadlineNanos < 0) {
            postponed.add(call, () -> dispatchAgain(call, deadlineNanos));
        } else {
            call.answer(RangeAnswers.busy(config.retryAfter(), BusyReason.MERGE));
        }
    }

    private Optional<ReadQueues.Read> find(Call call, KeyRange keys, long deadlineNanos) {
        return find(call, keys, bounds -> bounds.contains(keys))
                .map(replica -> new ReadQueues.Read(call, replica, deadlineNanos));
    }

    /** Returns the replica that has these keys; empty if the call was answered instead. */
    private Optional<Replica> find(Call call, KeyRange keys, Function<KeyRange, Boolean> has) {
        RangeRequest request = call.request();
        RangeId rangeId = new RangeId(request.getRangeId());
        Optional<Replica> found =
                replicas.find(rangeId)
                        .filter(
                                replica ->
                                        replica.descriptor().generation().value()
                                                == request.getGeneration())
                        .filter(replica -> has.apply(replica.descriptor().bounds()));
        if (found.isEmpty()) {
            call.answer(
                    RangeAnswers.staleRange(
                            replicas.registry().descriptorsForRedirect(rangeId, keys)));
            return found;
        }
        return found.filter(replica -> isAdmitted(call, replica));
    }

    /**
     * Returns false if the call was answered. A replica that does not lead admits every call,
     * because the later answer has to say that it does not lead.
     */
    private boolean isAdmitted(Call call, Replica replica) {
        if (!call.request().getFollowerRead() && !replica.isLeading()) {
            return true;
        }
        Optional<BusyReason> refusal = caps.admit(call, replica.descriptor().rangeId());
        refusal.ifPresent(
                why ->
                        RequestLoad.answer(
                                call, replica, RangeAnswers.busy(config.retryAfter(), why)));
        return refusal.isEmpty();
    }

    private void propose(Call call, long deadlineNanos) {
        SubmittedCommand command = CommandCodec.fromProto(call.request().getCommand());
        KeyRange keys = CommandKeys.of(command.body());
        find(call, keys, bounds -> CommandKeys.belongs(command.body(), bounds))
                .ifPresent(
                        replica -> propose(new Write(call, command, keys, replica), deadlineNanos));
    }

    /** A command whose range was found here. */
    private record Write(Call call, SubmittedCommand command, KeyRange keys, Replica replica) {}

    private void propose(Write write, long deadlineNanos) {
        Replica replica = write.replica();
        if (replica.isAwaitingFirstLeader() && nanoTicker.getAsLong() - deadlineNanos < 0) {
            postponed.add(write.call(), () -> propose(write, deadlineNanos));
            return;
        }
        replica.propose(
                new Proposal(
                        write.call().request().getCommand(),
                        write.command(),
                        false,
                        write.call().trace().ofProposal(),
                        result -> proposed(write, result, deadlineNanos)));
    }

    private void proposed(Write write, ProposalResult result, long deadlineNanos) {
        Replica replica = write.replica();
        boolean untouched =
                result instanceof ProposalResult.NotLeader
                        || result instanceof ProposalResult.Applied applied
                                && applied.outcome() instanceof Outcome.StaleRange;
        if (untouched && ReadQueues.isMerging(replica)) {
            write.call().answering(() -> awaitMerge(write.call(), deadlineNanos));
            return;
        }
        RequestLoad.answer(write.call(), replica, answer(replica, write.keys(), result));
    }

    private RangeResponse.Builder answer(Replica replica, KeyRange keys, ProposalResult result) {
        return RangeAnswers.proposal(
                result,
                config.retryAfter(),
                () ->
                        replicas.registry()
                                .descriptorsForRedirect(replica.descriptor().rangeId(), keys));
    }
}
