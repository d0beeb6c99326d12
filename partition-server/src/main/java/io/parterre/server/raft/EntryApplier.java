package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.range.RangeId;
import io.parterre.server.apply.NotFrozenYetException;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.GroupLife;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.ProposedEntry;
import io.parterre.server.replica.AppliedEntry;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.ApplyFailure;
import io.parterre.server.replica.NoNeighbourException;
import io.parterre.server.replica.NodeActions;
import io.parterre.server.replica.PendingSplits;
import io.parterre.server.replica.RangeChangeReporter;
import io.parterre.server.rows.AppliedPosition;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the log entries one after the other, and decides what a failure means. A failure ends the
 * replica, because skipping the entry would make the replica differ from the others. If disk or
 * memory is at fault, it ends the node, see {@link ApplyFailure}. Throws only {@code
 * NotFrozenYetException}. Used by one thread at a time.
 */
final class EntryApplier implements DeferredEntries.Applier {
    private static final Logger LOG = LoggerFactory.getLogger(EntryApplier.class);

    private final RangeId rangeId;
    private final AppliedRows rows;
    private final ReplicaGroup group;
    private final LogDisposal log;
    private final PendingSplits pendingSplits;
    private final RangeChangeReporter news;
    private final NodeActions node;
    private final Set<AppliedPosition> skipped;
    private final Consumer<AppliedPosition> onApplied;
    private final PartitionServerMetrics metrics;
    private final LongSupplier nanoTicker;
    private final CrashHook<CrashPoint> crash;

    /**
     * Creates an applier.
     *
     * @param onApplied called with each position that the rows have reached
     */
    EntryApplier(
            AppliedRows rows,
            ReplicaGroup group,
            LogDisposal log,
            PendingSplits pendingSplits,
            RangeChangeReporter news,
            NodeActions node,
            Consumer<AppliedPosition> onApplied,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker,
            CrashHook<CrashPoint> crash) {
        this.rangeId = rows.range().descriptor().rangeId();
        this.rows = rows;
        this.group = group;
        this.log = log;
        this.pendingSplits = pendingSplits;
        this.news = news;
        this.node = node;
        this.skipped = node.skipped(rangeId);
        this.onApplied = onApplied;
        this.metrics = metrics;
        this.nanoTicker = nanoTicker;
        this.crash = crash;
    }

    /**
     * Applies the next entry, unless the replica has stopped.
     *
     * @param own the entry as proposed by this replica while it led, which receives the outcomes
     * @throws NotFrozenYetException if the entry has to be applied later
     */
    @Override
    public void apply(LogEntryProto logged, Optional<ProposedEntry> own) {
        AppliedPosition position = new AppliedPosition(logged.getTerm(), logged.getIndex());
        attempt(
                position,
                () -> {
                    if (skipped.contains(position)) {
                        skip(position);
                    } else {
                        applyCommands(logged, position, own);
                    }
                    log.applied(
                            position.index(), logged.getStateMachineLogEntry().getLogData().size());
                });
    }

    @Override
    public void pass(AppliedPosition position) {
        attempt(position, () -> moveTo(position));
    }

    private void attempt(AppliedPosition position, Runnable apply) {
        if (group.hasStopped()) {
            return;
        }
        try {
            apply.run();
        } catch (CancellationException closing) {
            LOG.debug("apply cut short at close rangeId={}", rangeId, closing);
            // Not passed on to Ratis: see ReplicaGroup.failed.
            group.on(GroupLife.Event.STOPPED);
        } catch (NotFrozenYetException later) {
            rows.unmark();
            throw later;
        } catch (RuntimeException | Error failure) {
            failed(position, failure);
        }
    }

    private void applyCommands(
            LogEntryProto logged, AppliedPosition position, Optional<ProposedEntry> own) {
        rows.mark(position);
        crash.reached(CrashPoint.BEFORE_APPLY);
        long startNanos = nanoTicker.getAsLong();
        own.ifPresent(ProposedEntry::applying);
        LogEntry entry = own.map(ProposedEntry::entry).orElseGet(() -> decoded(logged));
        if (own.isPresent() && has(entry, EntryApplier::isWaitedFor)) {
            group.tellCommitted();
        }
        if (has(entry, ReplicaCommand.Freeze.class::isInstance)) {
            crash.reached(CrashPoint.MERGE_FREEZE_COMMITTED);
        }
        AppliedEntry applied = rows.apply(entry, position);
        rows.unmark();
        crash.reached(CrashPoint.AFTER_APPLY);
        onApplied.accept(position);
        pendingSplits.applied(entry);
        news.tell(applied.changes());
        if (!applied.outcomes().isEmpty()) {
            own.ifPresent(proposed -> proposed.applied(applied.outcomes()));
        }
        metrics.applied(
                entry.commands().size(), Duration.ofNanos(nanoTicker.getAsLong() - startNanos));
    }

    private static LogEntry decoded(LogEntryProto logged) {
        return LogEntryCodec.decode(
                logged.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
    }

    private static boolean has(LogEntry entry, Predicate<ReplicaCommand> wanted) {
        return entry.commands().stream().map(SubmittedCommand::body).anyMatch(wanted);
    }

    /** Whether keys are unavailable until the other members have applied the command too. */
    private static boolean isWaitedFor(ReplicaCommand command) {
        return command instanceof ReplicaCommand.Split
                || command instanceof ReplicaCommand.Freeze
                || command instanceof ReplicaCommand.Absorb;
    }

    /**
     * Skips an entry by an operator's decision: the position moves, and the entry has no other
     * effect on any member.
     */
    private void skip(AppliedPosition position) {
        LOG.warn("entry skipped rangeId={} index={}", rangeId, position.index());
        moveTo(position);
    }

    private void moveTo(AppliedPosition position) {
        rows.pass(position);
        onApplied.accept(position);
    }

    @Override
    public boolean isCopied(long index) {
        return rows.isCopied(index);
    }

    @Override
    public void lacksNeighbour(AppliedPosition position, NoNeighbourException why) {
        if (group.isEnding()) {
            group.on(GroupLife.Event.STOPPED);
        } else if (node.needsCopy(rangeId, why.getMessage())) {
            group.on(GroupLife.Event.STOPPED);
            group.end();
        } else {
            failed(position, why);
        }
    }

    /** Ends the replica or the node. */
    private void failed(AppliedPosition position, Throwable failure) {
        boolean ofRange = !group.isEnding() && ApplyFailure.isOfRange(failure);
        if (ofRange) {
            rows.unmark();
        }
        // Before the failure is published, so that reads and leadership no longer rely on this
        // replica.
        GroupLife before = group.on(GroupLife.Event.STOPPED);
        if (ofRange) {
            // The last member that applies the entry learns only from this message that it is
            // committed.
            group.tellCommitted();
        }
        if (ofRange && node.quarantine(rangeId, position, failure)) {
            group.end();
        } else {
            group.fails("apply", position.index(), failure, before);
        }
    }
}
