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
 * What the planner left undone while this manager leads, and which leads it asked to go elsewhere.
 * It says the same every second, so that the same for one range is one entry, with its first and
 * its last time. Never written to the log: the next leader begins again. Owned by the loop's
 * thread.
 */
final class Remarks {
    static final int COUNT_MAX = 10_000;
    static final long BYTES_MAX = 4L << 20;

    /** Of one round; the planner has the most pressing ones first. */
    static final int ROUND_MAX = 1_000;

    /** What comes up again after so long has another entry. */
    static final Duration GAP = Duration.ofMinutes(10);

    /** A leadership that is still asked for after so long is noted again. */
    static final Duration LEAD_GAP = Duration.ofMinutes(1);

    private record Subject(Optional<RangeId> about, Decision.Cause cause) {}

    private record LeaderService(RangeId rangeId, NodeId to) {}

    /** By when they were last seen, latest last. */
    private final TreeMap<Long, JournalEntry> entries = new TreeMap<>();

    private final Map<Subject, Long> latest = new HashMap<>();
    private final Map<Long, Subject> subjects = new HashMap<>();
    private final Map<LeaderService, Instant> leads = new HashMap<>();
    private long lastTurn;
    private long bytes;

    /** Keeps what was left. */
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

    /** The leaderships among these that were not asked to go there a moment ago, in words. */
    List<JournalEntry> newLeads(Collection<Decision> decisions, Instant now) {
        leads.values().removeIf(last -> !last.plus(LEAD_GAP).isAfter(now));
        List<JournalEntry> fresh = new ArrayList<>();
        for (Decision decision : decisions) {
            if (decision instanceof Decision.TransferLead transfer
                    && leads.put(new LeaderService(transfer.rangeId(), transfer.to()), now)
                            == null) {
                fresh.add(JournalNotes.of(transfer, now));
            }
        }
        return fresh;
    }

    /** What was left, latest last; as it is at any time. */
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
