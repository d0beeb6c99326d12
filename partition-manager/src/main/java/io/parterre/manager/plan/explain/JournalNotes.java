package io.parterre.manager.plan.explain;

import io.parterre.disk.DiskLevel;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Creates journal entries for decisions and commands. Stateless and thread-safe. */
public final class JournalNotes {
    private JournalNotes() {}

    /** Returns the entry for a decision of the planner. */
    public static JournalEntry of(Decision decision, Instant at) {
        return decision.match(new NoteOf(at));
    }

    private record NoteOf(Instant at) implements Decision.Cases<JournalEntry> {
        @Override
        public JournalEntry change(Decision.ChangeMembers change) {
            return decided(
                    change,
                    JournalSubject.move(
                            change.rangeId(), change.add(), change.remove(), change.reason()));
        }

        @Override
        public JournalEntry transfer(Decision.TransferLead transfer) {
            return decided(
                    transfer,
                    JournalSubject.leadership(transfer.rangeId(), transfer.from(), transfer.to()));
        }

        @Override
        public JournalEntry split(Decision.Split split) {
            return decided(
                    split,
                    JournalSubject.split(split.rangeId(), split.childLeader(), split.reason()));
        }

        @Override
        public JournalEntry merge(Decision.Merge merge) {
            return decided(
                    merge, JournalSubject.merge(merge.leftId(), merge.rightId(), merge.reason()));
        }

        private JournalEntry decided(Decision decision, JournalSubject subject) {
            return entry(subject, JournalEntry.Kind.DECIDED, at, decision.why());
        }

        @Override
        public JournalEntry leave(Decision.Leave left) {
            return JournalEntry.once(
                    JournalEntry.Kind.LEFT,
                    left.cause().name(),
                    at,
                    left.about().stream().toList(),
                    List.of(),
                    left.why());
        }
    }

    /** Returns the command of a decision with its journal entry. */
    public static MapCommand decided(MapCommand command, Decision decision, Instant at) {
        return new MapCommand.Noted(command, of(decision, at));
    }

    /**
     * Returns the command with a journal entry that is kept if the command changes the map; without
     * an entry if the command has no subject.
     */
    public static MapCommand noted(
            MapCommand command, JournalEntry.Kind kind, Instant at, Reason why) {
        return command.match(JournalSubject.OF_COMMAND)
                .<MapCommand>map(
                        subject -> new MapCommand.Noted(command, entry(subject, kind, at, why)))
                .orElse(command);
    }

    private static JournalEntry entry(
            JournalSubject subject, JournalEntry.Kind kind, Instant at, Reason why) {
        return JournalEntry.once(
                kind,
                subject.verdict(),
                at,
                subject.ranges(),
                subject.nodes(),
                subject.about().apply(why));
    }

    /**
     * Returns a command that notes an operator's request for a leadership transfer, which has no
     * command of its own.
     */
    public static MapCommand asked(Verdict.LeadershipRequest wish, Instant at, Reason why) {
        return new MapCommand.NoteDecisions(
                List.of(
                        JournalEntry.once(
                                JournalEntry.Kind.ASKED,
                                "LEAD",
                                at,
                                List.of(wish.rangeId()),
                                List.of(wish.to()),
                                why)));
    }

    /**
     * Returns the entry for a disk that became too full, or is no longer; empty if the level is
     * unchanged.
     *
     * @param before empty if this manager has just begun to lead; then a level that is as it should
     *     be is not noted
     */
    public static Optional<JournalEntry> ofDisk(Optional<DiskLevel> before, LastReport now) {
        DiskLevel level = now.diskLevel();
        if (level == before.orElse(DiskLevel.OK)) {
            return Optional.empty();
        }
        ReasonCode code =
                switch (level) {
                    case OK -> ReasonCode.DISK_HAS_ROOM;
                    case HIGH -> ReasonCode.DISK_IS_HIGH;
                    case CRITICAL -> ReasonCode.DISK_IS_CRITICAL;
                };
        NodeId nodeId = now.report().node().nodeId();
        return Optional.of(
                JournalEntry.once(
                        level == DiskLevel.OK ? JournalEntry.Kind.ENDED : JournalEntry.Kind.DECIDED,
                        "DISK",
                        now.at(),
                        List.of(),
                        List.of(nodeId),
                        code.of(nodeId, now.report().diskSpace().usedPercentUp())));
    }
}
