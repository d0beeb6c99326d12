package io.parterre.server.rpc;

import io.parterre.error.ErrorCode;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.command.CommandKeys;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.raft.Proposal;
import io.parterre.server.raft.ProposalResult;
import io.parterre.server.raft.ReadGate;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.Replicas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings each request to whoever answers it, after checking that it belongs here. Never blocks;
 * safe for any thread. Whatever goes wrong is an answer.
 */
final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** Point reads that one thread takes at a time: a hand-off costs as much as a read. */
    private static final int READS_PER_TASK = 16;

    private static final Duration GATE_RETRY = Duration.ofMillis(10);

    /** A lease is renewed, or lost, within about a heartbeat. */
    private static final Duration GATE_WAIT_MAX = Duration.ofMillis(500);

    private final Replicas replicas;
    private final RangeReads reads;
    private final ReadPool pointReads;
    private final ReadPool scans;
    private final RpcConfig config;
    private final ScheduledExecutorService scheduler;
    private final LongSupplier nanoTicker;

    Dispatcher(
            Replicas replicas,
            RangeReads reads,
            ReadPool pointReads,
            ReadPool scans,
            RpcConfig config,
            ScheduledExecutorService scheduler,
            LongSupplier nanoTicker) {
        this.replicas = replicas;
        this.reads = reads;
        this.pointReads = pointReads;
        this.scans = scans;
        this.config = config;
        this.scheduler = scheduler;
        this.nanoTicker = nanoTicker;
    }

    /** A read whose range was found here. */
    private record Read(Call call, Replica replica, long gateDeadlineNanos) {}

    void dispatch(List<Call> calls) {
        List<Read> pointReadsFound = new ArrayList<>();
        long deadlineNanos = nanoTicker.getAsLong() + GATE_WAIT_MAX.toNanos();
        for (Call call : calls) {
            answering(call, () -> dispatch(call, deadlineNanos, pointReadsFound));
        }
        runPointReads(pointReadsFound);
    }

    /** From the beginning: where its keys are may be another place by now. */
    private void dispatchAgain(Call call, long deadlineNanos) {
        List<Read> pointReadsFound = new ArrayList<>();
        dispatch(call, deadlineNanos, pointReadsFound);
        runPointReads(pointReadsFound);
    }

    private void runPointReads(List<Read> pointReadsFound) {
        for (int from = 0; from < pointReadsFound.size(); from += READS_PER_TASK) {
            int to = Math.min(from + READS_PER_TASK, pointReadsFound.size());
            run(pointReads, pointReadsFound.subList(from, to));
        }
    }

    private void dispatch(Call call, long deadlineNanos, List<Read> pointReadsFound) {
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
                            .ifPresent(pointReadsFound::add);
            case SCAN ->
                    find(call, KeysAsked.ofScan(request.getScan()), deadlineNanos)
                            .ifPresent(read -> run(scans, List.of(read)));
            case COMMAND -> propose(call, deadlineNanos);
            case BODY_NOT_SET -> throw new IllegalArgumentException("request: of unknown kind");
        }
    }

    /** Its range may be about to be another's: soon it is told which, or the range serves again. */
    private void awaitMerge(Call call, long deadlineNanos) {
        if (nanoTicker.getAsLong() - deadlineNanos < 0) {
            later(call, () -> dispatchAgain(call, deadlineNanos));
        } else {
            call.answer(Answers.busy(config.retryAfter(), "range that is being merged"));
        }
    }

    private static boolean isMerging(Replica replica) {
        return replica.isFrozen() || replica.isAbsorbed();
    }

    private Optional<Read> find(Call call, KeyRange keys, long deadlineNanos) {
        return find(call, keys, bounds -> bounds.contains(keys))
                .map(replica -> new Read(call, replica, deadlineNanos));
    }

    /** The replica that has these keys; empty if the call was answered instead. */
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
            call.answer(Answers.staleRange(replicas.heldInstead(rangeId, keys)));
        }
        return found;
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
            later(write.call(), () -> propose(write, deadlineNanos));
            return;
        }
        replica.propose(
                new Proposal(
                        write.call().request().getCommand(),
                        write.command(),
                        result -> proposed(write, result, deadlineNanos)));
    }

    private void proposed(Write write, ProposalResult result, long deadlineNanos) {
        Replica replica = write.replica();
        boolean untouched =
                result instanceof ProposalResult.NotLeader
                        || result instanceof ProposalResult.Applied applied
                                && applied.outcome() instanceof Outcome.StaleRange;
        if (untouched && isMerging(replica)) {
            answering(write.call(), () -> awaitMerge(write.call(), deadlineNanos));
            return;
        }
        answer(write.call(), replica, answer(replica, write.keys(), result));
    }

    private RangeResponse.Builder answer(Replica replica, KeyRange keys, ProposalResult result) {
        return Answers.proposal(
                result,
                config.retryAfter(),
                () -> replicas.heldInstead(replica.descriptor().rangeId(), keys));
    }

    private void run(ReadPool pool, List<Read> batch) {
        boolean taken = pool.tryRun(() -> batch.forEach(read -> run(pool, read)));
        if (!taken) {
            batch.forEach(
                    read ->
                            answer(
                                    read.call(),
                                    read.replica(),
                                    Answers.busy(config.retryAfter(), "read queue")));
        }
    }

    private void run(ReadPool pool, Read read) {
        Call call = read.call();
        if (call.isAnswered()) {
            return;
        }
        answering(
                call,
                () -> {
                    if (isMerging(read.replica())) {
                        awaitMerge(call, read.gateDeadlineNanos());
                        return;
                    }
                    if (call.request().getFollowerRead()) {
                        call.answer(staleAnswer(read));
                        return;
                    }
                    OptionalLong copy = read.replica().wholeCopy();
                    ReadGate gate = read.replica().readGate();
                    Optional<RangeResponse.Builder> answer =
                            gate == ReadGate.OPEN ? answer(read) : Optional.empty();
                    if (answer.isPresent()) {
                        // The gate may have closed long ago, and the rows have gone meanwhile.
                        boolean whole = copy.isPresent() && copy.equals(read.replica().wholeCopy());
                        answer(
                                call,
                                read.replica(),
                                whole ? answer.get() : Answers.notLeader(Optional.empty()));
                    } else if (gate != ReadGate.NOT_LEADER
                            && nanoTicker.getAsLong() - read.gateDeadlineNanos() < 0) {
                        later(call, () -> run(pool, List.of(read)));
                    } else {
                        call.answer(Answers.notLeader(read.replica().leaderHint()));
                    }
                });
    }

    /** Answers for a range, and counts there what it was asked. */
    private static void answer(Call call, Replica replica, RangeResponse.Builder answer) {
        RequestLoad.count(replica.load(), call.request(), answer);
        call.answer(answer);
    }

    /** Of whatever has been applied here, with how old that is. */
    private RangeResponse.Builder staleAnswer(Read read) {
        Replica replica = read.replica();
        OptionalLong copy = replica.readableCopy();
        if (copy.isEmpty()) {
            return Answers.noData();
        }
        // Before the rows are opened: what they hold then cannot be older.
        long nowNanos = nanoTicker.getAsLong();
        OptionalLong syncedNanos = replica.syncedNanos(nowNanos);
        Optional<RangeResponse.Builder> found = answer(read);
        if (found.isEmpty() || !replica.readableCopy().equals(copy)) {
            return Answers.noData();
        }
        RangeResponse.Builder answer = found.get();
        if (syncedNanos.isPresent() && (answer.hasRow() || answer.hasScanPage())) {
            answer.setStalenessMillis(Staleness.millis(syncedNanos.getAsLong(), nowNanos));
        }
        return answer;
    }

    /** Empty: the rows may be about to go to another range; ask again. */
    private Optional<RangeResponse.Builder> answer(Read read) {
        RangeRequest request = read.call().request();
        return request.hasScan()
                ? reads.scan(request.getScan(), read.replica())
                : reads.readRow(request.getReadRow(), read.replica());
    }

    private void later(Call call, Runnable again) {
        try {
            scheduler.schedule(
                    () -> answering(call, again), GATE_RETRY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.debug("request not retried: the node is closing", closing);
            call.answer(Answers.notLeader(Optional.empty()));
        }
    }

    private static void answering(Call call, Runnable work) {
        try {
            work.run();
        } catch (IllegalArgumentException malformed) {
            LOG.warn("request refused requestId={}", call.request().getRequestId(), malformed);
            call.answer(Answers.failed(ErrorCode.INVALID_INPUT, malformed.getMessage()));
        } catch (RuntimeException | StackOverflowError failure) {
            LOG.error("request failed requestId={}", call.request().getRequestId(), failure);
            call.answer(Answers.failed(ErrorCode.INTERNAL_ERROR, failure.toString()));
        }
    }
}
