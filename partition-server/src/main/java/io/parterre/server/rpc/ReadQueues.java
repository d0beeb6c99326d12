package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.error.BusyReason;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeId;
import io.parterre.server.load.CpuMeter;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.raft.ReadPermission;
import io.parterre.server.raft.Replica;
import io.parterre.server.read.ReadGate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Reads whose range was found here, from the queue to the answer. Rows are read on threads of this
 * class; everything else never blocks. Safe for any thread.
 */
final class ReadQueues implements AutoCloseable {
    /** Point reads that one thread takes at a time, because a hand-over costs as much as a read. */
    private static final int READS_PER_TASK = 16;

    /** Makes a call wait while its range is merged. */
    interface MergeWait {
        void await(Call call, long deadlineNanos);
    }

    /**
     * A read whose range was found here.
     *
     * @param heldNanos {@link ReadPermission#nowNanos} at which the read found no lease; empty:
     *     that has not happened
     */
    record Read(Call call, Replica replica, long gateDeadlineNanos, OptionalLong heldNanos) {
        Read(Call call, Replica replica, long gateDeadlineNanos) {
            this(call, replica, gateDeadlineNanos, OptionalLong.empty());
        }

        private Read heldUp() {
            return heldNanos.isPresent()
                    ? this
                    : new Read(
                            call,
                            replica,
                            gateDeadlineNanos,
                            OptionalLong.of(ReadPermission.nowNanos()));
        }
    }

    private final RangeReads reads;
    private final ReadPool<ByteString, RangeId, Read> pointReads;
    private final ReadPool<ByteString, RangeId, Read> scans;
    private final RpcConfig config;
    private final MemoryBudget memory;
    private final PartitionServerMetrics metrics;
    private final Postponed postponed;
    private final MergeWait merges;
    private final LongSupplier nanoTicker;

    /**
     * Starts without reads.
     *
     * @param memory memory of requests and of answers that are not sent yet
     * @param answers sends answers
     * @param postponed reads that cannot be answered yet
     * @param merges makes calls wait while their range is merged
     */
    ReadQueues(
            RangeReads reads,
            RpcConfig config,
            MemoryBudget memory,
            TrampolineExecutor answers,
            PartitionServerMetrics metrics,
            Postponed postponed,
            MergeWait merges,
            LongSupplier nanoTicker) {
        this.reads = reads;
        this.config = config;
        this.memory = memory;
        this.metrics = metrics;
        this.postponed = postponed;
        this.merges = merges;
        this.nanoTicker = nanoTicker;
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
    }

    int waitingPointReads() {
        return pointReads.waiting();
    }

    int waitingScans() {
        return scans.waiting();
    }

    /** Queues the read until {@link #wake}, or answers that too much waits. */
    void enqueuePointRead(Read read) {
        enqueue(pointReads, read);
    }

    /** Queues the read until {@link #wake}, or answers that too much waits. */
    void enqueueScan(Read read) {
        enqueue(scans, read);
    }

    void wake() {
        pointReads.wake();
        scans.wake();
    }

    @Override
    public void close() {
        pointReads.close();
        scans.close();
    }

    private void enqueue(ReadPool<ByteString, RangeId, Read> pool, Read read) {
        RangeRequest request = read.call().request();
        RangeId rangeId = new RangeId(request.getRangeId());
        if (!pool.offer(KeysAsked.account(request), rangeId, read)) {
            RequestLoad.answer(
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

    /** Answers equal reads by one read of the rows. */
    private void runPointReads(List<Read> batch) {
        for (List<Read> same : SameReads.of(batch, read -> read.call().request())) {
            Optional<RangeResponse.Builder> found = run(pointReads, same.get(0));
            for (Read other : same.subList(1, same.size())) {
                if (found.isEmpty()) {
                    run(pointReads, other);
                } else if (!other.call().isAnswered()) {
                    metrics.joined();
                    RequestLoad.answer(other.call(), other.replica(), found.get().clone());
                }
            }
        }
    }

    /**
     * Runs a read.
     *
     * @return its answer, if the answer is valid for every equal read that came before this call.
     *     Such a read came before the check that the leader may read and before the rows were
     *     opened, so the answer contains every write acknowledged by then
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

    /**
     * Measures the processor time of each scan, and of some point reads only, which are too short
     * to measure each.
     */
    private void measured(ReadPool<ByteString, RangeId, Read> pool, Read read, Runnable work) {
        Call call = read.call();
        if (call.request().getFollowerRead()) {
            call.answering(work);
            return;
        }
        CpuMeter cpu = read.replica().load().cpu();
        int oneOf = pool == scans ? 1 : CpuMeter.ONE_OF;
        long begun = cpu.begin(oneOf);
        call.answering(work);
        cpu.end(begun, oneOf);
    }

    static boolean isMerging(Replica replica) {
        return replica.isFrozen() || replica.isAbsorbed();
    }

    private Optional<RangeResponse.Builder> tryRead(
            ReadPool<ByteString, RangeId, Read> pool, Read read) {
        Call call = read.call();
        RangeRequest request = call.request();
        if (!memory.admitsAnswer(KeysAsked.account(request), request.getSerializedSize())) {
            // A request of a hundred bytes has an answer of megabytes. Thousands of answers may
            // wait here for a front end that does not take them as fast as rows are read.
            RequestLoad.answer(
                    call,
                    read.replica(),
                    RangeAnswers.busy(config.retryAfter(), BusyReason.NODE_MEMORY));
            return Optional.empty();
        }
        if (isMerging(read.replica())) {
            merges.await(call, read.gateDeadlineNanos());
            return Optional.empty();
        }
        if (call.request().getFollowerRead()) {
            call.answer(staleAnswer(read));
            return Optional.empty();
        }
        OptionalLong copy = read.replica().rows().wholeCopy();
        ReadGate gate = read.replica().reads().gate(read.heldNanos());
        Optional<RangeResponse.Builder> answer =
                gate == ReadGate.OPEN ? answer(read) : Optional.empty();
        if (answer.isPresent()) {
            // The gate may have closed long ago, and the rows may be gone meanwhile.
            boolean whole = copy.isPresent() && copy.equals(read.replica().rows().wholeCopy());
            RangeResponse.Builder told =
                    whole ? answer.get() : RangeAnswers.notLeader(Optional.empty());
            RequestLoad.answer(call, read.replica(), told);
            return Optional.of(told);
        }
        if (gate != ReadGate.NOT_LEADER && nanoTicker.getAsLong() - read.gateDeadlineNanos() < 0) {
            Read heldUp = read.heldUp();
            Runnable soon = postponed.add(call, () -> again(pool, heldUp));
            read.replica().reads().ask().thenRun(soon);
        } else {
            call.answer(RangeAnswers.notLeader(read.replica().leaderHint()));
        }
        return Optional.empty();
    }

    /** Returns an answer from the rows applied here, with their staleness. */
    private RangeResponse.Builder staleAnswer(Read read) {
        Replica replica = read.replica();
        OptionalLong copy = replica.reads().readableCopy();
        if (copy.isEmpty()) {
            return RangeAnswers.noData();
        }
        // Read before the rows are opened, because the rows opened later cannot be older.
        long nowNanos = nanoTicker.getAsLong();
        OptionalLong syncedNanos = replica.reads().catchUp().syncedNanos(nowNanos);
        Optional<RangeResponse.Builder> found = answer(read);
        if (found.isEmpty() || !replica.reads().readableCopy().equals(copy)) {
            return RangeAnswers.noData();
        }
        RangeResponse.Builder answer = found.get();
        // A fence is a row as well, so an answer that a table was deleted has a staleness too.
        boolean ofRows = answer.hasRow() || answer.hasScanPage() || answer.hasScopeFenced();
        if (syncedNanos.isPresent() && ofRows) {
            answer.setStalenessMillis(Staleness.millis(syncedNanos.getAsLong(), nowNanos));
        }
        return answer;
    }

    /**
     * Returns empty if the rows may be about to move to another range; the read is then retried.
     */
    private Optional<RangeResponse.Builder> answer(Read read) {
        RangeRequest request = read.call().request();
        return request.hasScan()
                ? reads.scan(request.getScan(), read.replica())
                : reads.readRow(request.getReadRow(), read.replica());
    }
}
