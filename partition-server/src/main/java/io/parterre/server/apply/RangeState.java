package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.key.Scope;
import io.parterre.server.command.CommandKeys;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * State that a range remembers besides its rows: bounds and members, clock, fences and the outcomes
 * of recent commands; and how a log entry changes state and rows. All of it follows from the log
 * alone and is kept in the range's own rows. So a state restored from the rows of some moment
 * continues exactly as the state that wrote them. Not thread-safe: one thread applies.
 */
public final class RangeState {
    private HostedRange range;
    private final Fences fences = new Fences();
    private final OutcomeMemory outcomes;
    private final SliceLimits limits;
    private RangeClock clock = new RangeClock();

    /** Creates the state of a new range. */
    public RangeState(HostedRange range) {
        this(range, OutcomeLimits.CURRENT, SliceLimits.CURRENT);
    }

    RangeState(HostedRange range, OutcomeLimits outcomeLimits, SliceLimits limits) {
        this.range = range;
        this.outcomes = new OutcomeMemory(outcomeLimits);
        this.limits = limits;
    }

    /**
     * Restores a state from its rows.
     *
     * @param range the range as stored beside the rows
     * @param rows all rows of the range's own, in any order
     * @throws IllegalArgumentException if a row is malformed or of an unknown version
     */
    public static RangeState restore(HostedRange range, List<OwnRow> rows) {
        return restore(range, rows, SliceLimits.CURRENT);
    }

    /** Restores a state that cuts entries into slices by other limits. */
    public static RangeState restore(HostedRange range, List<OwnRow> rows, SliceLimits limits) {
        return restore(range, rows, OutcomeLimits.CURRENT, limits);
    }

    static RangeState restore(
            HostedRange range, List<OwnRow> rows, OutcomeLimits outcomeLimits, SliceLimits limits) {
        RangeState state = new RangeState(range, outcomeLimits, limits);
        List<OwnRow> outcomeRows = new ArrayList<>();
        for (OwnRow row : rows) {
            switch (row.key().kind()) {
                case CLOCK -> state.clock = RangeClock.decode(row.value());
                case FENCE -> state.fences.restore(row);
                case OUTCOMES -> outcomeRows.add(row);
                case SENDER -> state.outcomes.restoreSender(row);
            }
        }
        // After the senders, because their floors tell which outcomes are settled.
        state.outcomes.restoreEntries(outcomeRows);
        return state;
    }

    /** The range's clock as of the last applied command. */
    public RangeTime time() {
        return new RangeTime(clock.nowTicks(), clock.lastTimestampTicks());
    }

    /** A copy of the fenced scopes. */
    public Set<Key> fences() {
        return fences.all();
    }

    /**
     * Applies commands of the next log entry, from an index up to the end of a slice. The effect of
     * the entry is the same wherever it is cut, and wherever a restored state continues with it.
     *
     * @param logIndex index of the entry, greater than that of any entry before
     * @param from number of the entry's commands that are applied already
     * @throws NotFrozenYetException if a neighbour has to be absorbed and is not frozen yet. This
     *     state must then be discarded and restored from the rows
     */
    public AppliedSlice apply(LogEntry entry, long logIndex, int from, SliceContext context) {
        List<SubmittedCommand> commands = entry.commands();
        if (from == 0 && isFrozen() && commands.stream().noneMatch(this::thaws)) {
            // A frozen range changes nothing at all, not even its time: see FrozenRange.
            List<Outcome> refusals =
                    commands.stream().filter(context.taken()).map(this::whileFrozen).toList();
            return new AppliedSlice(List.of(), refusals, commands.size(), true);
        }
        Changes changes = new Changes(context.stored(), limits, context.room());
        clock.advance(entry.stampTicks());
        if (from == 0) {
            outcomes.begin(logIndex, clock.nowTicks());
        } else {
            outcomes.resume(logIndex, clock.nowTicks());
        }
        Execution execution = new Execution(changes, context.neighbours(), entry.stampTicks());
        List<Outcome> answers = new ArrayList<>(commands.size() - from);
        int at = from;
        do {
            SubmittedCommand command = commands.get(at);
            if (context.taken().test(command)) {
                answers.add(answer(command, execution));
            }
            at++;
        } while (at < commands.size()
                && !(context.sliced()
                        && limits.endsBefore(
                                commands.get(at).body(), changes.sizeBytes(), isFrozen())));
        boolean whole = at == commands.size();
        if (whole) {
            outcomes.finish(changes);
        } else {
            outcomes.pause(changes);
        }
        changes.putOwn(OwnKey.CLOCK, clock.encode());
        changes.reserveOversize();
        return new AppliedSlice(changes.mutations(), answers, at, whole);
    }

    private boolean isFrozen() {
        return range.descriptor().isFrozen();
    }

    private Outcome answer(SubmittedCommand command, Execution execution) {
        if (isFrozen() && !thaws(command)) {
            return whileFrozen(command);
        }
        Optional<Outcome> earlier = outcomes.recall(command);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        // After the recall, because both sides of a split answer what was done before it.
        if (!CommandKeys.belongs(command.body(), range.descriptor().bounds())) {
            return new Outcome.StaleRange();
        }
        Outcome outcome = command.body().match(execution);
        outcomes.remember(command.id(), outcome);
        return outcome;
    }

    /** Whether the command thaws the range. */
    private boolean thaws(SubmittedCommand command) {
        return command.body() instanceof ReplicaCommand.Thaw thaw
                && BoundsRules.isDue(thaw, range.descriptor());
    }

    private Outcome whileFrozen(SubmittedCommand command) {
        return FrozenAnswer.to(command.body(), range.descriptor().generation());
    }

    /**
     * Returns the first own rows of a child with these bounds.
     *
     * @param remembered rows of outcomes, made once for all children because they may be megabytes
     */
    private List<OwnRow> rowsFor(KeyRange bounds, List<OwnRow> remembered) {
        List<OwnRow> rows = new ArrayList<>();
        rows.add(new OwnRow(OwnKey.CLOCK, clock.encode()));
        rows.addAll(fences.rows(bounds));
        rows.addAll(remembered);
        return rows;
    }

    /** Executes commands of an entry that are not repeats. */
    private final class Execution implements ReplicaCommand.Cases<Outcome> {
        private final Changes changes;
        private final FrozenRange.Neighbours neighbours;
        private final long stampTicks;

        Execution(Changes changes, FrozenRange.Neighbours neighbours, long stampTicks) {
            this.changes = changes;
            this.neighbours = neighbours;
            this.stampTicks = stampTicks;
        }

        @Override
        public Outcome writeEntities(ReplicaCommand.WriteEntities command) {
            Key scope = command.operations().get(0).key().prefix(Scope.LENGTH_BYTES);
            return fences.contains(scope)
                    ? new Outcome.ScopeFenced()
                    : EntityApply.apply(command, changes, clock);
        }

        @Override
        public Outcome restoreRows(ReplicaCommand.RestoreRows command) {
            for (ReplicaCommand.RestoredRow row : command.rows()) {
                if (fences.contains(row.key().prefix(Scope.LENGTH_BYTES))) {
                    return new Outcome.ScopeFenced();
                }
            }
            return RestoreApply.apply(command, changes, clock);
        }

        @Override
        public Outcome createTable(ReplicaCommand.CreateTable command) {
            return DirectoryApply.create(command, changes);
        }

        @Override
        public Outcome beginDeleteTable(ReplicaCommand.BeginDeleteTable command) {
            return DirectoryApply.beginDelete(command, changes);
        }

        @Override
        public Outcome finishDeleteTable(ReplicaCommand.FinishDeleteTable command) {
            return DirectoryApply.finishDelete(command, changes);
        }

        @Override
        public Outcome setTablePolicies(ReplicaCommand.SetTablePolicies command) {
            return DirectoryApply.setPolicies(command, changes);
        }

        @Override
        public Outcome setServiceProperties(ReplicaCommand.SetServiceProperties command) {
            return DirectoryApply.setProperties(command, changes);
        }

        @Override
        public Outcome setMembers(ReplicaCommand.SetMembers command) {
            if (BoundsRules.isDue(command, range.descriptor())) {
                range = range.withMembers(command.members());
                changes.putRange(range);
            }
            return new Outcome.MembersSet(range.descriptor().generation());
        }

        @Override
        public Outcome split(ReplicaCommand.Split command) {
            boolean due = BoundsRules.isDue(command, range.descriptor());
            if (due) {
                List<ReplicaCommand.SplitPoint> splitPoints = command.splitPoints();
                List<OwnRow> remembered = outcomes.rows();
                for (int i = 0; i < splitPoints.size(); i++) {
                    Key end =
                            i + 1 < splitPoints.size()
                                    ? splitPoints.get(i + 1).at()
                                    : range.descriptor().bounds().endExclusive();
                    KeyRange bounds = new KeyRange(splitPoints.get(i).at(), end);
                    changes.putChild(
                            range.child(splitPoints.get(i).childId(), bounds),
                            rowsFor(bounds, remembered));
                }
                range = range.upTo(command.firstSplitPoint());
                changes.putRange(range);
            }
            return new Outcome.RangeSplit(range.descriptor().generation(), due);
        }

        @Override
        public Outcome freeze(ReplicaCommand.Freeze command) {
            boolean due = BoundsRules.isDue(command, range.descriptor());
            if (due) {
                range = range.frozen(command.leftId(), command.leftAt());
                changes.putRange(range);
            }
            return new Outcome.RangeFrozen(range.descriptor().generation(), due);
        }

        /** A thaw that is not due, or reaches a range that is not frozen, changes nothing. */
        @Override
        public Outcome thaw(ReplicaCommand.Thaw command) {
            boolean due = BoundsRules.isDue(command, range.descriptor());
            if (due) {
                range = range.thawed();
                changes.putRange(range);
            }
            return new Outcome.RangeThawed(range.descriptor().generation(), due);
        }

        @Override
        public Outcome absorb(ReplicaCommand.Absorb command) {
            boolean due = BoundsRules.isDue(command, range.descriptor());
            if (due) {
                take(neighbours.frozen(command.right(), command.freezeIndex()), command);
            }
            return new Outcome.RangeAbsorbed(range.descriptor().generation(), due);
        }

        private void take(FrozenRange frozen, ReplicaCommand.Absorb command) {
            if (!frozen.range().descriptor().equals(command.right())) {
                throw new IllegalStateException(
                        "right: "
                                + frozen.range().descriptor()
                                + " (expected: "
                                + command.right()
                                + ")");
            }
            RangeState right = restore(frozen.range(), frozen.own(), outcomes.limits(), limits);
            clock.join(right.clock);
            outcomes.absorb(right.outcomes, clock.nowTicks());
            fences.join(right.fences, range.descriptor(), right.range.descriptor(), changes);
            range = range.widenedBy(command.right(), command.generation());
            changes.putRange(range);
            changes.absorbNeighbour(frozen.range());
        }

        @Override
        public Outcome fenceScope(ReplicaCommand.FenceScope command) {
            fences.fence(command.scope(), range.descriptor().bounds(), changes);
            return new Outcome.Fenced(Optional.of(range.descriptor().bounds().endExclusive()));
        }

        @Override
        public Outcome forgetFences(ReplicaCommand.ForgetFences command) {
            for (Key scope : command.scopes()) {
                fences.forget(scope, range.descriptor().bounds(), changes);
            }
            return new Outcome.Fenced(Optional.empty());
        }

        @Override
        public Outcome resetClock(ReplicaCommand.ResetClock command) {
            boolean due = clock.reset(stampTicks, command.seenTicks(), command.usedFromTicks());
            if (due) {
                outcomes.rebase(clock.nowTicks(), changes);
            }
            return new Outcome.ClockReset(due);
        }
    }
}
