package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.command.CommandKeys;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.load.CpuMeter;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.raft.Proposal;
import io.parterre.server.raft.ProposalResult;
import io.parterre.server.raft.ReadGate;
import io.parterre.server.raft.Replica;
import io.parterre.server.raft.Replicas;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings each request to whoever answers it, after checking that it belongs here. Never blocks;
 * safe for any thread. Whatever goes wrong is an answer.
 */
final class Dispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** Point reads that one thread takes at a time: a hand-off costs as much as a read. */
    private static final int READS_PER_TASK = 16;

    private static final Duration GATE_RETRY = Duration.ofMillis(10);

    /** A lease is renewed, or lost, within about a heartbeat. */
    private static final Duration GATE_WAIT_MAX = Duration.ofMillis(500);

    private final Replicas replicas;
    private final RangeReads reads;
    private final ReadPool<ByteString, RangeId, Read> pointReads;
    private final ReadPool<ByteString, RangeId, Read> scans;
    private final RangeCaps caps;
    private final RpcConfig config;
    private final MemoryBudget memory;
    private final PartitionServerMetrics metrics;
    private final Postponed postponed;
    private final LongSupplier nanoTicker;

    /**
     * One with threads of its own for reads.
     *
     * @param memory of requests and of answers that are not sent yet
     * @param answers sends answers
     */
    Dispatcher(
            Replicas replicas,
            RangeReads reads,
            RpcConfig config,
            MemoryBudget memory,
            TrampolineExecutor answers,
            ScheduledExecutorService scheduler,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.replicas = replicas;
        this.reads = reads;
        this.pointReads =
                new ReadPool<>(
                        "partition-read",
                        config.pointReadThreads(),
                        config.readQueueMax(),
                        READS_PER_TASK,
                        this::runPointReads,
                        answers);
        this.scans =
                new ReadPool<>(
                        "partition-scan",
                        config.scanThreads(),
                        config.readQueueMax(),
                        1,
                        this::runScans,
                        answers);
        this.caps = new RangeCaps(config.rangeCaps(), nanoTicker);
        this.config = config;
        this.memory = memory;
        this.postponed = new Postponed(scheduler, GATE_RETRY);
        this.metrics = metrics;
        this.nanoTicker = nanoTicker;
    }

    int waitingPointReads() {
        return pointReads.waiting();
    }

    int waitingScans() {
        return scans.waiting();
    }

    /** Counts at its range what was refused before anybody looked for that. */
    void refused(RangeRequest request) {
        if (!request.getFollowerRead()) {
            replicas.find(new RangeId(request.getRangeId()))
                    .ifPresent(replica -> replica.load().refuse());
        }
    }

    /** Some replica of the node leads, or its range is another one: who waits for that goes on. */
    void changed() {
        postponed.wake();
    }

    /** Forgets what went on in ranges that are not here any more. */
    void forgetGoneRanges() {
        caps.retain(rangeId -> replicas.find(rangeId).isPresent());
    }

    @Override
    public void close() {
        pointReads.close();
        scans.close();
    }

    /** A read whose range was found here. */
    private record Read(Call call, Replica replica, long gateDeadlineNanos) {}

    void dispatch(List<Call> calls) {
        long deadlineNanos = nanoTicker.getAsLong() + GATE_WAIT_MAX.toNanos();
        for (Call call : calls) {
            answering(call, () -> dispatch(call, deadlineNanos));
        }
        // All at once: a hand-off costs as much as a read.
        pointReads.wake();
        scans.wake();
    }

    /** From the beginning: where its keys are may be another place by now. */
    private void dispatchAgain(Call call, long deadlineNanos) {
        dispatch(call, deadlineNanos);
        pointReads.wake();
        scans.wake();
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
                            .ifPresent(read -> enqueue(pointReads, read));
            case SCAN ->
                    find(call, KeysAsked.ofScan(request.getScan()), deadlineNanos)
                            .ifPresent(read -> enqueue(scans, read));
            case COMMAND -> propose(call, deadlineNanos);
            case BODY_NOT_SET -> throw new IllegalArgumentException("request: of unknown kind");
        }
    }

    /** Its range may be about to be another's: soon it is told which, or the range serves again. */
    private void awaitMerge(Call call, long deadlineNanos) {
        if (nanoTicker.getAsLong() - deadlineNanos < 0) {
            later(call, () -> dispatchAgain(call, deadlineNanos));
        } else {
            call.answer(RangeAnswers.busy(config.retryAfter(), BusyReason.MERGE));
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
            call.answer(RangeAnswers.staleRange(replicas.registry().heldInstead(rangeId, keys)));
            return found;
        }
        return found.filter(replica -> isAdmitted(call, replica));
    }

    /** False: the call was answered. Where nobody may be served anyway, that is what to say. */
    private boolean isAdmitted(Call call, Replica replica) {
        if (!call.request().getFollowerRead() && !replica.isLeading()) {
            return true;
        }
        Optional<BusyReason> refusal = caps.admit(call, replica.descriptor().rangeId());
        refusal.ifPresent(
                why -> answer(call, replica, RangeAnswers.busy(config.retryAfter(), why)));
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
        return RangeAnswers.proposal(
                result,
                config.retryAfter(),
                () -> replicas.registry().heldInstead(replica.descriptor().rangeId(), keys));
    }

    private void enqueue(ReadPool<ByteString, RangeId, Read> pool, Read read) {
        RangeRequest request = read.call().request();
        RangeId rangeId = new RangeId(request.getRangeId());
        if (!pool.offer(KeysAsked.account(request), rangeId, read)) {
            answer(
                    read.call(),
                    read.replica(),
                    RangeAnswers.busy(config.retryAfter(), BusyReason.NODE_QUEUE));
        }
    }

    private void again(ReadPool<ByteString, RangeId, Read> pool, Read read) {
        enqueue(pool, read);
        pool.wake();
    }

    private void runScans(List<Read> batch) {
        batch.forEach(read -> run(scans, read));
    }

    /** Those that ask for the same are answered by one look at the rows. */
    private void runPointReads(List<Read> batch) {
        for (List<Read> same : SameReads.of(batch, read -> read.call().request())) {
            Optional<RangeResponse.Builder> found = run(pointReads, same.get(0));
            for (Read other : same.subList(1, same.size())) {
                if (found.isEmpty()) {
                    run(pointReads, other);
                } else if (!other.call().isAnswered()) {
                    metrics.joined();
                    answer(other.call(), other.replica(), found.get().clone());
                }
            }
        }
    }

    /**
     * Runs a read.
     *
     * @return its answer, if that is as good for any other read that asks for the same and came
     *     before this was called: before it was asked whether the leader may read, and before the
     *     rows were opened. Whatever was acknowledged when those came shows in it
     */
    private Optional<RangeResponse.Builder> run(
            ReadPool<ByteString, RangeId, Read> pool, Read read) {
        AtomicReference<Optional<RangeResponse.Builder>> found =
                new AtomicReference<>(Optional.empty());
        if (!read.call().isAnswered()) {
            measured(pool, read, () -> found.set(tryRead(pool, read)));
        }
        return found.get();
    }

    /** A scan takes so long that each is worth a look at the clock; a point read does not. */
    private void measured(ReadPool<ByteString, RangeId, Read> pool, Read read, Runnable work) {
        Call call = read.call();
        if (call.request().getFollowerRead()) {
            answering(call, work);
            return;
        }
        CpuMeter cpu = read.replica().load().cpu();
        int oneOf = pool == scans ? 1 : CpuMeter.ONE_OF;
        long begun = cpu.begin(oneOf);
        answering(call, work);
        cpu.end(begun, oneOf);
    }

    private Optional<RangeResponse.Builder> tryRead(
            ReadPool<ByteString, RangeId, Read> pool, Read read) {
        Call call = read.call();
        RangeRequest request = call.request();
        if (!memory.admitsAnswer(KeysAsked.account(request), request.getSerializedSize())) {
            // A request of a hundred bytes has an answer of megabytes, and thousands may wait here
            // for a front end that does not take them as fast as rows are read.
            answer(
                    call,
                    read.replica(),
                    RangeAnswers.busy(config.retryAfter(), BusyReason.NODE_MEMORY));
            return Optional.empty();
        }
        if (isMerging(read.replica())) {
            awaitMerge(call, read.gateDeadlineNanos());
            return Optional.empty();
        }
        if (call.request().getFollowerRead()) {
            call.answer(staleAnswer(read));
            return Optional.empty();
        }
        OptionalLong copy = read.replica().wholeCopy();
        ReadGate gate = read.replica().readGate();
        Optional<RangeResponse.Builder> answer =
                gate == ReadGate.OPEN ? answer(read) : Optional.empty();
        if (answer.isPresent()) {
            // The gate may have closed long ago, and the rows have gone meanwhile.
            boolean whole = copy.isPresent() && copy.equals(read.replica().wholeCopy());
            RangeResponse.Builder told =
                    whole ? answer.get() : RangeAnswers.notLeader(Optional.empty());
            answer(call, read.replica(), told);
            return Optional.of(told);
        }
        if (gate != ReadGate.NOT_LEADER && nanoTicker.getAsLong() - read.gateDeadlineNanos() < 0) {
            later(call, () -> again(pool, read));
        } else {
            call.answer(RangeAnswers.notLeader(read.replica().leaderHint()));
        }
        return Optional.empty();
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
            return RangeAnswers.noData();
        }
        // Before the rows are opened: what they hold then cannot be older.
        long nowNanos = nanoTicker.getAsLong();
        OptionalLong syncedNanos = replica.syncedNanos(nowNanos);
        Optional<RangeResponse.Builder> found = answer(read);
        if (found.isEmpty() || !replica.readableCopy().equals(copy)) {
            return RangeAnswers.noData();
        }
        RangeResponse.Builder answer = found.get();
        // A fence is a row as well: that a table was deleted is known since then.
        boolean ofRows = answer.hasRow() || answer.hasScanPage() || answer.hasScopeFenced();
        if (syncedNanos.isPresent() && ofRows) {
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
            postponed.add(() -> answering(call, again));
        } catch (RejectedExecutionException closing) {
            LOG.debug("request not retried: the node is closing", closing);
            call.answer(RangeAnswers.notLeader(Optional.empty()));
        }
    }

    private static void answering(Call call, Runnable work) {
        try {
            work.run();
        } catch (IllegalArgumentException malformed) {
            LOG.warn("request refused requestId={}", call.request().getRequestId(), malformed);
            call.answer(RangeAnswers.failed(ErrorCode.INVALID_INPUT, malformed.getMessage()));
        } catch (RuntimeException | StackOverflowError failure) {
            LOG.error("request failed requestId={}", call.request().getRequestId(), failure);
            call.answer(RangeAnswers.failed(ErrorCode.INTERNAL_ERROR, failure.toString()));
        }
    }
}
