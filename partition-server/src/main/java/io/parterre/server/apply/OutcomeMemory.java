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
 * Outcomes of recent commands, so that a repeated command is answered and not executed again.
 *
 * <p>Each sender has a floor. Sequences below the floor are settled or forgotten, and are never
 * executed, whether they were executed before or not. A sequence at or above the floor is either
 * kept here or new. An outcome is dropped when its sender calls it settled, when it is too old, or
 * when there are too many; the floor then rises above it. One row holds the outcomes of a log entry
 * until the last of them is dropped. A sender that was silent for long is forgotten with its floor,
 * because none of its commands can still be in flight.
 *
 * <p>Log time may leap when a clock is set, so that a single check cannot tell a silent sender from
 * one heard of a moment ago. So a first entry only marks a sender as silent. A later entry forgets
 * the sender if it was not heard of for the grace time after the mark. A single leap can make up
 * only one of the two times. Two leaps with a {@link #rebase} between them cannot make up both,
 * because the rebase removes the first mark. Not thread-safe.
 */
final class OutcomeMemory {
    /** Log entries between two checks of all senders. */
    private static final int INTERVAL = 1_024;

    /** Log entries between two checks while there are too many senders. */
    private static final int CROWDED_INTERVAL = 16;

    private final OutcomeLimits limits;
    // Sorted, so that mutations come in the same order on every replica.
    private final TreeMap<Long, OutcomeSender> senders = new TreeMap<>();
    private final TreeMap<Long, OutcomeEntry> entries = new TreeMap<>();
    private final TreeSet<Long> touchedSenders = new TreeSet<>();
    private final List<OwnKey> emptiedRows = new ArrayList<>();
    private OutcomeEntry current = new OutcomeEntry(-1, Long.MIN_VALUE);

    /** Whether an earlier slice has stored a row of the current entry. */
    private boolean isCurrentStored;

    private int size;

    OutcomeMemory(OutcomeLimits limits) {
        this.limits = limits;
    }

    /** Starts the next log entry. */
    void begin(long logIndex, long nowTicks) {
        current = new OutcomeEntry(logIndex, nowTicks);
        isCurrentStored = false;
    }

    /**
     * Continues an entry after a {@link #pause}, in the same process or after a restart.
     *
     * @param nowTicks log time of the entry, as far as it is applied
     */
    void resume(long logIndex, long nowTicks) {
        if (current.logIndex == logIndex) {
            return;
        }
        begin(logIndex, nowTicks);
        // The current entry is in the map only once it has ended.
        OutcomeEntry restored = entries.remove(logIndex);
        if (restored != null) {
            current = restored;
            isCurrentStored = true;
        }
    }

    /** Returns the answer to a command that must not be executed; empty if the command is new. */
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
            // The absorbed range has this command settled already.
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
     * Takes over the outcomes and senders of another range, whose commands this range answers from
     * now on. Log positions of the other range mean nothing here, so all its outcomes count as
     * outcomes of the current entry and are kept as long. Of a sender that both ranges know,
     * nothing below either floor is executed any more.
     *
     * @param nowTicks log time of the entry, which the absorption may have made later
     */
    void absorb(OutcomeMemory other, long nowTicks) {
        current.ticks = nowTicks;
        other.senders.forEach(this::absorbSender);
        for (OutcomeEntry entry : other.entries.values()) {
            for (OutcomeRowCodec.Line line : other.live(entry)) {
                OutcomeSender sender = senders.get(line.id().senderId());
                long sequence = line.id().sequence();
                // Both sides of a split know what was done before it.
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
     * Handles log time that has gone back: outcomes recorded and senders heard of at a later time
     * count as of now and are kept from now on, so for longer than before and never shorter. The
     * mark of a sender that was found silent at such a later time is removed.
     *
     * @param nowTicks log time of the entry from here on
     */
    void rebase(long nowTicks, Changes changes) {
        current.ticks = Math.min(current.ticks, nowTicks);
        for (OutcomeEntry entry : entries.values()) {
            if (entry.ticks > nowTicks) {
                entry.ticks = nowTicks;
                // Not at the end of the slice, because what is left of the entry then depends on
                // where the slice ends.
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

    /** Ends a slice of the entry: writes the changes, because a restart may continue from here. */
    void pause(Changes changes) {
        writeDown(changes);
    }

    /** Ends the entry: drops what is due and writes the changes. */
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
        // entry after a crash does not know them, and all replicas must write the same row.
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
            // Dropping its last outcome removes the entry.
            for (OutcomeRowCodec.Line line : oldest.lines) {
                if (isLive(line, oldest)) {
                    long id = line.id().senderId();
                    raiseFloor(senders.get(id), line.id().sequence() + 1);
                    touchedSenders.add(id);
                }
            }
        }
    }

    private void expireSenders(Changes changes) {
        boolean tooMany = senders.size() > limits.sendersMax();
        // Checking all senders is cheap as long as it is not done for every entry.
        if (current.logIndex % (tooMany ? CROWDED_INTERVAL : INTERVAL) != 0) {
            return;
        }
        silentFor(limits.senderTicks(), senders.size()).forEach(id -> forget(id, changes));
        // A sender must keep no outcome in a row, or a restart would bring the sender back.
        silentFor(limits.outcomeTicks(), senders.size() - limits.sendersMax())
                .forEach(id -> forget(id, changes));
    }

    /**
     * Returns the longest silent of the senders that were not heard of for this long, in log time.
     */
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
     * Returns all that this memory knows as rows; a memory restored from them knows the same. Log
     * positions are kept, so a range that continues with the rows must number its entries from
     * there on.
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

    /** Returns the outcomes of an entry that are still kept; a restored memory knows only these. */
    private List<OutcomeRowCodec.Line> live(OutcomeEntry entry) {
        return entry.lines.stream().filter(line -> isLive(line, entry)).toList();
    }

    private boolean isLive(OutcomeRowCodec.Line line, OutcomeEntry entry) {
        OutcomeSender sender = senders.get(line.id().senderId());
        OutcomeSender.Kept kept = sender == null ? null : sender.kept.get(line.id().sequence());
        return kept != null && kept.entry() == entry;
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
