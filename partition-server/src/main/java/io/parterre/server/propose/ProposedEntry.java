package io.parterre.server.propose;

import io.parterre.server.apply.Outcome;
import io.parterre.server.command.LogEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A log entry between its proposal and its answer. Passes through Ratis with the request, so that
 * the leader applies the entry without decoding it and stores its outcomes here. Written by Raft's
 * threads, read after its future has completed.
 */
public final class ProposedEntry {
    private final LogEntry entry;
    private final byte[] bytes;
    private final List<ProposalTrace> traces;
    private volatile boolean appended;
    private volatile List<Outcome> outcomes = List.of();
    private volatile CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

    public ProposedEntry(long stampTicks, List<Proposal> proposals, EntryWriter writer) {
        this.entry = new LogEntry(stampTicks, proposals.stream().map(Proposal::command).toList());
        this.bytes = writer.write(stampTicks, proposals.stream().map(Proposal::message).toList());
        this.traces =
                proposals.stream()
                        .map(Proposal::trace)
                        .filter(trace -> trace != ProposalTrace.NONE)
                        .toList();
        traces.forEach(trace -> trace.packed(proposals.size()));
    }

    public LogEntry entry() {
        return entry;
    }

    /** The encoded entry; callers must not change the array. */
    public byte[] bytes() {
        return bytes;
    }

    /** Notes that the entry may be in the log from here on, whatever is answered. */
    public void markAppended() {
        appended = true;
        traces.forEach(ProposalTrace::appended);
    }

    public boolean isAppended() {
        return appended;
    }

    /** Notes that the entry is committed and applied next, unless it is deferred once more. */
    public void applying() {
        traces.forEach(ProposalTrace::applying);
    }

    public void applied(List<Outcome> newOutcomes) {
        outcomes = newOutcomes;
        traces.forEach(ProposalTrace::applied);
    }

    /** Notes that Ratis takes the entry for applied from now on although it is not. */
    public void defer() {
        if (settled.isDone()) {
            settled = new CompletableFuture<>();
        }
    }

    /** Notes that the entry is applied, or will not be on this node. */
    public void settle() {
        settled.complete(null);
    }

    /**
     * Returns a future that ends once the outcomes are there, if there will be any; to be asked
     * after Ratis has answered.
     */
    public CompletableFuture<Void> settled() {
        return settled;
    }

    /** One outcome for each command; empty unless this replica applied the entry while it led. */
    public Optional<List<Outcome>> outcomes() {
        return outcomes.isEmpty() ? Optional.empty() : Optional.of(outcomes);
    }
}
