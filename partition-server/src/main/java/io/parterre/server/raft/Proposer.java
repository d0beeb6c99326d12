package io.parterre.server.raft;

import io.parterre.entity.Ticks;
import io.parterre.error.BusyReason;
import io.parterre.server.apply.Outcome;
import io.parterre.server.load.CpuMeter;
import io.parterre.server.propose.EntryWriter;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposalResult;
import io.parterre.server.propose.ProposedEntry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs waiting commands into log entries. While entries are in flight, commands gather, and the
 * next entry takes all of them: the busier the range, the larger its entries, without a timer. Safe
 * for any thread; packing and answering run on the executor, one at a time.
 */
final class Proposer {
    private static final Logger LOG = LoggerFactory.getLogger(Proposer.class);

    private final RaftConfig config;
    private final EntryWriter writer;
    private final Function<ProposedEntry, CompletableFuture<Void>> log;
    private final Executor executor;
    private final InstantSource clock;
    private final CpuMeter cpu;
    private final Queue<Proposal> waiting = new ConcurrentLinkedQueue<>();
    private final Queue<Completed> completed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger signals = new AtomicInteger();
    private final AtomicInteger heldCommands = new AtomicInteger();
    private final AtomicLong heldBytes = new AtomicLong();
    // Used only on the executor's thread.
    private int entriesInFlight;
    private int commandsInFlight;
    private long bytesInFlight;

    /**
     * Creates a proposer.
     *
     * @param log submits an entry; its future ends when the entry is applied, or fails. Called on
     *     the executor
     * @param cpu counts the CPU time of packing and answering
     */
    Proposer(
            RaftConfig config,
            EntryWriter writer,
            Function<ProposedEntry, CompletableFuture<Void>> log,
            Executor executor,
            InstantSource clock,
            CpuMeter cpu) {
        this.config = config;
        this.writer = writer;
        this.log = log;
        this.executor = executor;
        this.clock = clock;
        this.cpu = cpu;
    }

    private record Completed(
            ProposedEntry entry, List<Proposal> proposals, Optional<Throwable> failure) {}

    /**
     * Takes a command, or answers at once that there is no room for it. Commands of the range
     * itself always have room.
     */
    void propose(Proposal proposal) {
        int size = proposal.sizeBytes();
        boolean fewEnough = heldCommands.incrementAndGet() <= config.queuedCommandsMax();
        boolean smallEnough = heldBytes.addAndGet(size) <= config.queuedBytesMax();
        if (!proposal.own() && (!fewEnough || !smallEnough)) {
            release(size);
            proposal.done().accept(new ProposalResult.Busy(BusyReason.RANGE_CAP));
            return;
        }
        waiting.add(proposal);
        signal();
    }

    /** Number of commands accepted and not yet answered. */
    int heldCommands() {
        return heldCommands.get();
    }

    private void release(int size) {
        heldCommands.decrementAndGet();
        heldBytes.addAndGet(-size);
    }

    private void signal() {
        if (signals.getAndIncrement() == 0) {
            schedule();
        }
    }

    private void schedule() {
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException closing) {
            LOG.debug("proposer stopped: the node is closing", closing);
            signals.set(0);
            answerCompleted();
            refuseWaiting();
        }
    }

    private void run() {
        long begun = cpu.begin(CpuMeter.ONE_OF);
        int seen = signals.get();
        answerCompleted();
        while (!waiting.isEmpty() && maySubmit()) {
            submit(pack());
        }
        cpu.end(begun, CpuMeter.ONE_OF);
        // Not a loop: other ranges use the same threads.
        if (signals.addAndGet(-seen) != 0) {
            schedule();
        }
    }

    private boolean maySubmit() {
        return maySubmit(
                entriesInFlight,
                config.entriesInFlightMax(),
                commandsInFlight,
                heldCommands.get() - commandsInFlight,
                heldBytes.get() - bytesInFlight >= config.packBytesMax());
    }

    /**
     * Whether the waiting commands become an entry now. Each entry, whatever it holds, costs all
     * members a write, a sync and several hand-overs between threads. So an entry beside others in
     * flight takes at least half as many commands as they hold. Otherwise callers whose answers
     * come together would send their next commands one after the other, and each command would get
     * an entry as long as there is room for one. The waiting commands go once nothing else is in
     * flight.
     *
     * @param waiting number of waiting commands
     * @param full whether the waiting commands fill an entry
     */
    static boolean maySubmit(
            int entriesInFlight,
            int entriesInFlightMax,
            int commandsInFlight,
            int waiting,
            boolean full) {
        return entriesInFlight == 0
                || entriesInFlight < entriesInFlightMax
                        && (full || 2 * waiting >= commandsInFlight);
    }

    private void answerCompleted() {
        for (Completed next = completed.poll(); next != null; next = completed.poll()) {
            entriesInFlight--;
            commandsInFlight -= next.proposals().size();
            bytesInFlight -= bytes(next.proposals());
            answer(next);
        }
    }

    private List<Proposal> pack() {
        List<Proposal> packed = new ArrayList<>();
        int bytes = 0;
        for (Proposal next = waiting.peek(); next != null; next = waiting.peek()) {
            bytes += next.sizeBytes();
            if (!packed.isEmpty() && bytes > config.packBytesMax()) {
                break;
            }
            packed.add(waiting.remove());
        }
        return packed;
    }

    private static long bytes(List<Proposal> proposals) {
        long bytes = 0;
        for (Proposal proposal : proposals) {
            bytes += proposal.sizeBytes();
        }
        return bytes;
    }

    private void submit(List<Proposal> proposals) {
        ProposedEntry entry = new ProposedEntry(Ticks.of(clock.instant()), proposals, writer);
        entriesInFlight++;
        commandsInFlight += proposals.size();
        bytesInFlight += bytes(proposals);
        CompletableFuture<Void> applied;
        try {
            applied = log.apply(entry).thenCompose(answered -> entry.settled());
        } catch (RuntimeException failure) {
            applied = CompletableFuture.failedFuture(failure);
        }
        // Completes on Raft's applying thread, so it only hands over.
        applied.whenComplete(
                (nothing, failure) -> {
                    completed.add(new Completed(entry, proposals, Optional.ofNullable(failure)));
                    signal();
                });
    }

    private void answer(Completed ended) {
        Optional<List<Outcome>> outcomes = ended.entry().outcomes();
        boolean applied = ended.failure().isEmpty() && outcomes.isPresent();
        ProposalResult failed =
                ended.failure()
                        .map(cause -> ProposalFailure.of(cause, ended.entry().isAppended()))
                        .orElseGet(ProposalResult.InDoubt::new);
        for (int i = 0; i < ended.proposals().size(); i++) {
            Proposal proposal = ended.proposals().get(i);
            release(proposal.sizeBytes());
            tell(proposal, applied ? new ProposalResult.Applied(outcomes.get().get(i)) : failed);
        }
    }

    private void refuseWaiting() {
        for (Proposal next = waiting.poll(); next != null; next = waiting.poll()) {
            release(next.sizeBytes());
            tell(next, new ProposalResult.NotLeader(Optional.empty()));
        }
    }

    private static void tell(Proposal proposal, ProposalResult result) {
        try {
            proposal.done().accept(result);
        } catch (RuntimeException failure) {
            // A failing caller must not cost the others their answers.
            LOG.error("answer of a proposal failed id={}", proposal.command().id(), failure);
        }
    }
}
