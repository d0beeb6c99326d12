package io.parterre.server.propose;

import io.parterre.server.apply.Outcome;
import io.parterre.server.command.LogEntry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A log entry between its proposal and its answer. Goes with the request through Ratis, so that the
 * leader applies it without decoding it and hands its outcomes back. Written by Raft's threads,
 * read after its future has completed.
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

    /** Not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** From here on the entry may be in the log, whatever is answered. */
    public void markAppended() {
        appended = true;
        traces.forEach(ProposalTrace::appended);
    }

    public boolean isAppended() {
        return appended;
    }

    /** It is committed and applied next, unless that is put off once more. */
    public void applying() {
        traces.forEach(ProposalTrace::applying);
    }

    public void applied(List<Outcome> newOutcomes) {
        outcomes = newOutcomes;
        traces.forEach(ProposalTrace::applied);
    }

    /** Ratis takes it for applied from now on, and it is not. */
    public void defer() {
        if (settled.isDone()) {
            settled = new CompletableFuture<>();
        }
    }

    /** It is applied, or will not be here. */
    public void settle() {
        settled.complete(null);
    }

    /** Ends once outcomes that there will be are there; to be asked once Ratis has answered. */
    public CompletableFuture<Void> settled() {
        return settled;
    }

    /** One for each command; empty unless this replica applied the entry while it led. */
    public Optional<List<Outcome>> outcomes() {
        return outcomes.isEmpty() ? Optional.empty() : Optional.of(outcomes);
    }
}
