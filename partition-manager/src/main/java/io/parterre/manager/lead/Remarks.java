package io.parterre.manager.lead;

import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the planner left undone while this manager leads, and which leadership transfers it asked
 * for. The planner repeats itself every second, so repetitions for one range are one entry with its
 * first and its last time. Not in the log: the next leader begins again. Confined to the loop's
 * thread.
 */
final class Remarks {
    static final int COUNT_MAX = 10_000;
    static final long BYTES_MAX = 4L << 20;

    /** Upper bound of one round. The planner lists the most urgent ones first. */
    static final int ROUND_MAX = 1_000;

    /** A repetition after a longer pause gets a new entry. */
    static final Duration GAP = Duration.ofMinutes(10);

    /** A leadership transfer that is still asked for after this time is noted again. */
    static final Duration LEAD_GAP = Duration.ofMinutes(1);

    private record Subject(Optional<RangeId> about, Decision.Cause cause) {}

    private record AskedTransfer(RangeId rangeId, NodeId to) {}

    /** Entries in the order of their last time, latest last. */
    private final TreeMap<Long, JournalEntry> entries = new TreeMap<>();

    private final Map<Subject, Long> latest = new HashMap<>();
    private final Map<Long, Subject> subjects = new HashMap<>();
    private final Map<AskedTransfer, Instant> leads = new HashMap<>();
    private long lastTurn;
    private long bytes;

    /** Keeps what a round left undone. */
    void left(List<Decision.Leave> left, Instant now) {
        left.stream().limit(ROUND_MAX).forEach(each -> left(each, now));
        while (entries.size() > COUNT_MAX || bytes > BYTES_MAX) {
            remove(entries.firstKey());
        }
    }

    private void left(Decision.Leave left, Instant now) {
        Subject subject = new Subject(left.about(), left.cause());
        JournalEntry entry = JournalNotes.of(left, now);
        Long turn = latest.get(subject);
        if (turn != null && entries.get(turn).last().plus(GAP).isAfter(now)) {
            entry = entries.get(turn).again(now, left.why());
            remove(turn);
        }
        lastTurn++;
        entries.put(lastTurn, entry);
        subjects.put(lastTurn, subject);
        latest.put(subject, lastTurn);
        bytes += entry.bytes();
    }

    private void remove(long turn) {
        bytes -= entries.remove(turn).bytes();
        latest.remove(subjects.remove(turn), turn);
    }

    /**
     * Returns entries for the leadership transfers that were not noted within {@link #LEAD_GAP}.
     */
    List<JournalEntry> newLeads(Collection<Decision> decisions, Instant now) {
        leads.values().removeIf(last -> !last.plus(LEAD_GAP).isAfter(now));
        List<JournalEntry> fresh = new ArrayList<>();
        for (Decision decision : decisions) {
            if (decision instanceof Decision.TransferLead transfer
                    && leads.put(new AskedTransfer(transfer.rangeId(), transfer.to()), now)
                            == null) {
                fresh.add(JournalNotes.of(transfer, now));
            }
        }
        return fresh;
    }

    /** Returns a live, unmodifiable view of what was left undone, latest last. */
    Collection<JournalEntry> entries() {
        return Collections.unmodifiableCollection(entries.values());
    }

    void clear() {
        entries.clear();
        latest.clear();
        subjects.clear();
        leads.clear();
        bytes = 0;
    }
}
