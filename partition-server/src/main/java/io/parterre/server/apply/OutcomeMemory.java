package io.parterre.server.apply;

import io.parterre.server.command.CommandId;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Outcomes of recent commands, so that a repeat is answered and not executed.
 *
 * <p>Of each sender it knows a floor: sequences below it are settled or forgotten and are never
 * executed, whether they were before or not. Sequences from the floor on are either kept here or
 * new. An outcome goes as soon as its sender calls it settled, else when it is too old or there are
 * too many; the floor then rises above it. One row holds the outcomes of a log entry until the last
 * of them has gone. A sender that was silent for long is forgotten with its floor; nothing it sent
 * can still be under way then.
 *
 * <p>Log time may leap when a clock is set, so that one look cannot tell a silent sender from one
 * heard of a moment ago. A first entry therefore only marks a sender as silent, and one that comes
 * later by a time in which nothing may be heard of it forgets it. A single leap makes up one of the
 * two times, never both; nor do two leaps with a {@link #rebase} between them, which takes the mark
 * of the first away. Not thread-safe.
 */
final class OutcomeMemory {
    /** Entries from one look at all senders to the next. */
    private static final int INTERVAL = 1_024;

    /** The same while there are too many of them. */
    private static final int CROWDED_INTERVAL = 16;

    private final OutcomeLimits limits;
    // Sorted, so that mutations come in the same order on every replica.
    private final TreeMap<Long, OutcomeSender> senders = new TreeMap<>();
    private final TreeMap<Long, OutcomeEntry> entries = new TreeMap<>();
    private final TreeSet<Long> touchedSenders = new TreeSet<>();
    private final List<OwnKey> emptiedRows = new ArrayList<>();
    private OutcomeEntry current = new OutcomeEntry(-1, Long.MIN_VALUE);

    /** Whether there is a row of the current entry, of a slice before. */
    private boolean isCurrentStored;

    private int size;

    OutcomeMemory(OutcomeLimits limits) {
        this.limits = limits;
    }

    /** Turns to the next log entry. */
    void begin(long logIndex, long nowTicks) {
        current = new OutcomeEntry(logIndex, nowTicks);
        isCurrentStored = false;
    }

    /**
     * Goes on with an entry after a {@link #pause}, in this life of the process or a later one.
     *
     * @param nowTicks time of the entry, as far as it is applied
     */
    void resume(long logIndex, long nowTicks) {
        if (current.logIndex == logIndex) {
            return;
        }
        begin(logIndex, nowTicks);
        // It is among the earlier ones only once it has ended.
        OutcomeEntry restored = entries.remove(logIndex);
        if (restored != null) {
            current = restored;
            isCurrentStored = true;
        }
    }

    /** The answer to a command that must not be executed; empty: it is new. */
    Optional<Outcome> recall(SubmittedCommand command) {
        OutcomeSender sender =
                senders.computeIfAbsent(command.id().senderId(), id -> new OutcomeSender());
        sender.heard(current);
        touchedSenders.add(command.id().senderId());
        raiseFloor(sender, command.settledBelow());
        long sequence = command.id().sequence();
        if (sequence < sender.floor) {
            return Optional.of(new Outcome.Forgotten());
        }
        return Optional.ofNullable(sender.kept.get(sequence)).map(OutcomeSender.Kept::outcome);
    }

    void remember(CommandId id, Outcome outcome) {
        OutcomeSender sender = senders.get(id.senderId());
        if (id.sequence() < sender.floor) {
            // What was absorbed meanwhile has it settled.
            return;
        }
        sender.kept.put(id.sequence(), new OutcomeSender.Kept(outcome, current));
        current.lines.add(new OutcomeRowCodec.Line(id, outcome));
        current.live++;
        size++;
    }

    OutcomeLimits limits() {
        return limits;
    }

    /**
     * Takes over what another range remembers, whose commands this one answers from now on. Its
     * positions mean nothing here, so all its outcomes count as those of this entry and are kept as
     * long. Of a sender that both know nothing below either floor is executed any more.
     *
     * @param nowTicks time of the entry, which may be later now
     */
    void absorb(OutcomeMemory other, long nowTicks) {
        current.ticks = nowTicks;
        other.senders.forEach(this::absorbSender);
        for (OutcomeEntry entry : other.entries.values()) {
            for (OutcomeRowCodec.Line line : other.live(entry)) {
                OutcomeSender sender = senders.get(line.id().senderId());
                long sequence = line.id().sequence();
                // What was done before a split is known to both sides of it.
                if (sequence >= sender.floor && !sender.kept.containsKey(sequence)) {
                    remember(line.id(), line.outcome());
                }
            }
        }
    }

    private void absorbSender(long id, OutcomeSender theirs) {
        OutcomeSender known = senders.get(id);
        OutcomeSender ours = known == null ? new OutcomeSender() : known;
        if (known == null) {
            senders.put(id, ours);
            ours.silentSinceTicks = theirs.silentSinceTicks;
        } else if (theirs.silentSinceTicks.isEmpty()) {
            ours.silentSinceTicks = OptionalLong.empty();
        }
        if (known == null || theirs.lastTicks > ours.lastTicks) {
            ours.lastIndex = current.logIndex;
            ours.lastTicks = theirs.lastTicks;
        }
        raiseFloor(ours, theirs.floor);
        touchedSenders.add(id);
    }

    /**
     * Log time has gone back: what was recorded or heard later counts as of now, and is kept for as
     * long from now on. That is longer than it would have been, never shorter. A sender found
     * silent by a time that was wrong is not.
     *
     * @param nowTicks time of the entry from here on
     */
    void rebase(long nowTicks, Changes changes) {
        current.ticks = Math.min(current.ticks, nowTicks);
        for (OutcomeEntry entry : entries.values()) {
            if (entry.ticks > nowTicks) {
                entry.ticks = nowTicks;
                // Not at the end of the slice: what is left of it by then depends on where that is.
                changes.putOwn(entry.row(live(entry)));
            }
        }
        senders.forEach(
                (id, sender) -> {
                    if (sender.rebase(nowTicks)) {
                        touchedSenders.add(id);
                    }
                });
    }

    /** Ends a slice of the entry: writes down what has changed, as a restart may go on with it. */
    void pause(Changes changes) {
        writeDown(changes);
    }

    /** Ends the entry: forgets what is due and writes down what has changed. */
    void finish(Changes changes) {
        if (current.live > 0) {
            entries.put(current.logIndex, current);
        }
        expireEntries();
        expireSenders(changes);
        writeDown(changes);
    }

    private void writeDown(Changes changes) {
        // Outcomes that this entry both added and dropped are in no row. A replica that resumed the
        // entry after a crash does not know them, and all replicas have to write the same row.
        if (current.live > 0) {
            changes.putOwn(current.row(liveOfCurrent()));
            isCurrentStored = true;
        } else if (isCurrentStored) {
            changes.deleteOwn(current.key());
            isCurrentStored = false;
        }
        for (OwnKey row : emptiedRows) {
            if (row.number() != current.logIndex) {
                changes.deleteOwn(row);
            }
        }
        emptiedRows.clear();
        for (long id : touchedSenders) {
            OutcomeSender sender = senders.get(id);
            if (sender != null) {
                changes.putOwn(sender.row(id));
            }
        }
        touchedSenders.clear();
    }

    private void expireEntries() {
        long oldestTicks = current.ticks - limits.outcomeTicks();
        while (!entries.isEmpty()) {
            OutcomeEntry oldest = entries.firstEntry().getValue();
            if (oldest.ticks > oldestTicks && size <= limits.outcomesMax()) {
                return;
            }
            // Its last outcome takes the entry along.
            for (OutcomeRowCodec.Line line : oldest.lines) {
                long id = line.id().senderId();
                OutcomeSender sender = senders.get(id);
                OutcomeSender.Kept kept =
                        sender == null ? null : sender.kept.get(line.id().sequence());
                if (kept != null && kept.entry() == oldest) {
                    raiseFloor(sender, line.id().sequence() + 1);
                    touchedSenders.add(id);
                }
            }
        }
    }

    private void expireSenders(Changes changes) {
        boolean tooMany = senders.size() > limits.sendersMax();
        // Looking at all of them costs little as long as it is not done for every entry.
        if (current.logIndex % (tooMany ? CROWDED_INTERVAL : INTERVAL) != 0) {
            return;
        }
        silentFor(limits.senderTicks(), senders.size()).forEach(id -> forget(id, changes));
        // A row that still holds an outcome of a sender would bring it back at a restart.
        silentFor(limits.outcomeTicks(), senders.size() - limits.sendersMax())
                .forEach(id -> forget(id, changes));
    }

    /** The longest silent of those that were not heard of for this long. */
    private List<Long> silentFor(long ticks, int countMax) {
        return senders.entrySet().stream()
                .filter(each -> each.getValue().lastTicks <= current.ticks - ticks)
                .sorted(
                        Comparator.comparingLong(
                                        (Map.Entry<Long, OutcomeSender> each) ->
                                                each.getValue().lastIndex)
                                .thenComparingLong(Map.Entry::getKey))
                .limit(Math.max(0, countMax))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void forget(long id, Changes changes) {
        OutcomeSender sender = senders.get(id);
        if (sender.silentSinceTicks.isEmpty()) {
            sender.silentSinceTicks = OptionalLong.of(current.ticks);
            touchedSenders.add(id);
        } else if (sender.silentSinceTicks.getAsLong() <= current.ticks - limits.graceTicks()) {
            drop(id, changes);
        }
    }

    private void drop(long id, Changes changes) {
        if (!senders.remove(id).kept.isEmpty()) {
            throw new IllegalStateException("sender " + id + " dropped before its outcomes");
        }
        changes.deleteOwn(OwnKey.ofNumber(OwnKey.Kind.SENDER, id));
    }

    private void raiseFloor(OutcomeSender sender, long floor) {
        if (floor <= sender.floor) {
            return;
        }
        sender.floor = floor;
        while (!sender.kept.isEmpty() && sender.kept.firstKey() < floor) {
            OutcomeEntry entry = sender.kept.pollFirstEntry().getValue().entry();
            size--;
            entry.live--;
            if (entry.live == 0) {
                entries.remove(entry.logIndex);
                emptiedRows.add(entry.key());
            }
        }
    }

    /**
     * Everything it knows, as rows: what a memory restored from them knows too. Log positions stay
     * what they are, so a member that goes on with it must count on from there.
     */
    List<OwnRow> rows() {
        List<OwnRow> rows = new ArrayList<>();
        senders.forEach((id, sender) -> rows.add(sender.row(id)));
        entries.values().forEach(entry -> rows.add(entry.row(live(entry))));
        if (current.live > 0 && !entries.containsKey(current.logIndex)) {
            rows.add(current.row(live(current)));
        }
        return rows;
    }

    private List<OutcomeRowCodec.Line> liveOfCurrent() {
        return current.live == current.lines.size() ? current.lines : live(current);
    }

    /** What is still kept of an entry; a memory that was restored knows no more of it. */
    private List<OutcomeRowCodec.Line> live(OutcomeEntry entry) {
        return entry.lines.stream()
                .filter(
                        line -> {
                            OutcomeSender sender = senders.get(line.id().senderId());
                            OutcomeSender.Kept kept =
                                    sender == null ? null : sender.kept.get(line.id().sequence());
                            return kept != null && kept.entry() == entry;
                        })
                .toList();
    }

    void restoreSender(OwnRow row) {
        senders.put(row.key().number(), OutcomeSender.restore(row));
    }

    void restoreEntries(List<OwnRow> rows) {
        List<OwnRow> inLogOrder = new ArrayList<>(rows);
        inLogOrder.sort(Comparator.comparingLong(row -> row.key().number()));
        for (OwnRow row : inLogOrder) {
            OutcomeRowCodec.Row stored = OutcomeRowCodec.decode(row.value());
            OutcomeEntry entry = new OutcomeEntry(row.key().number(), stored.ticks());
            for (OutcomeRowCodec.Line line : stored.lines()) {
                OutcomeSender sender = senders.get(line.id().senderId());
                if (sender != null && line.id().sequence() >= sender.floor) {
                    sender.kept.put(
                            line.id().sequence(), new OutcomeSender.Kept(line.outcome(), entry));
                    entry.lines.add(line);
                    entry.live++;
                    size++;
                }
            }
            if (entry.live > 0) {
                entries.put(entry.logIndex, entry);
            }
        }
    }
}
