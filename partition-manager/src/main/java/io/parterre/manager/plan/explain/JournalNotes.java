package io.parterre.manager.plan.explain;

import io.parterre.disk.DiskLevel;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts decisions into the words of the journal. Stateless; safe for any thread. */
public final class JournalNotes {
    private JournalNotes() {}

    /** What the planner decided, or left. */
    public static JournalEntry of(Decision decision, Instant at) {
        return decision.match(new NoteOf(at));
    }

    private record NoteOf(Instant at) implements Decision.Cases<JournalEntry> {
        @Override
        public JournalEntry change(Decision.ChangeMembers change) {
            return decided(
                    "MOVE",
                    List.of(change.rangeId()),
                    nodes(change.add(), change.remove()),
                    members(change.add(), change.remove())
                            + ", "
                            + change.reason()
                            + ": "
                            + change.why());
        }

        @Override
        public JournalEntry transfer(Decision.TransferLead transfer) {
            return decided(
                    "LEAD",
                    List.of(transfer.rangeId()),
                    List.of(transfer.from(), transfer.to()),
                    "from " + transfer.from() + " to " + transfer.to() + ": " + transfer.why());
        }

        @Override
        public JournalEntry split(Decision.Split split) {
            return decided(
                    "SPLIT",
                    List.of(split.rangeId()),
                    split.childLeader().stream().toList(),
                    split.reason() + ": " + split.why());
        }

        @Override
        public JournalEntry merge(Decision.Merge merge) {
            return decided(
                    "MERGE",
                    List.of(merge.leftId(), merge.rightId()),
                    List.of(),
                    "range "
                            + merge.leftId()
                            + " absorbs range "
                            + merge.rightId()
                            + ", "
                            + merge.reason()
                            + ": "
                            + merge.why());
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

        private JournalEntry decided(
                String verdict, List<RangeId> ranges, List<NodeId> nodes, String why) {
            return JournalEntry.once(JournalEntry.Kind.DECIDED, verdict, at, ranges, nodes, why);
        }
    }

    /**
     * That a node's disk is too full, or no more.
     *
     * @param before empty: this manager has just begun to lead, and nobody is told what is as it
     *     should be
     */
    public static Optional<JournalEntry> ofDisk(Optional<DiskLevel> before, LastReport now) {
        DiskLevel level = now.diskLevel();
        if (level == before.orElse(DiskLevel.OK)) {
            return Optional.empty();
        }
        NodeId nodeId = now.report().node().nodeId();
        String what =
                "node "
                        + nodeId
                        + " has "
                        + now.report().diskSpace().usedPercentUp()
                        + " % of its disk in use, "
                        + switch (level) {
                            case OK -> "and takes more again";
                            case HIGH -> "gets nothing more and gives replicas away";
                            case CRITICAL -> "gets nothing more and refuses what takes room";
                        };
        JournalEntry.Kind kind =
                level == DiskLevel.OK ? JournalEntry.Kind.ENDED : JournalEntry.Kind.DECIDED;
        return Optional.of(
                JournalEntry.once(kind, "DISK", now.at(), List.of(), List.of(nodeId), what));
    }

    /** A command that the planner's decision comes to, noted. */
    public static MapCommand decided(MapCommand command, Decision decision, Instant at) {
        return new MapCommand.Noted(command, of(decision, at));
    }

    /**
     * A command with what the journal gets if it changes the map; as it is, if that is nothing.
     *
     * @param why a sentence for people
     */
    public static MapCommand noted(
            MapCommand command, JournalEntry.Kind kind, Instant at, String why) {
        return command.match(new SubjectOf())
                .<MapCommand>map(
                        subject ->
                                new MapCommand.Noted(
                                        command,
                                        JournalEntry.once(
                                                kind,
                                                subject.verdict(),
                                                at,
                                                subject.ranges(),
                                                subject.nodes(),
                                                subject.what().isEmpty()
                                                        ? why
                                                        : subject.what() + ": " + why)))
                .orElse(command);
    }

    /** An operator wants a leadership elsewhere, which no command does. */
    public static MapCommand asked(Verdict.LeadershipRequest wish, Instant at, String why) {
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

    private static List<NodeId> nodes(Optional<NodeId> one, Optional<NodeId> other) {
        List<NodeId> nodes = new ArrayList<>(one.stream().toList());
        other.filter(node -> !nodes.contains(node)).ifPresent(nodes::add);
        return nodes;
    }

    private static String members(Optional<NodeId> add, Optional<NodeId> remove) {
        List<String> words = new ArrayList<>();
        add.ifPresent(node -> words.add("+" + node));
        remove.ifPresent(node -> words.add("-" + node));
        return String.join(" ", words);
    }

    /**
     * What a command is about.
     *
     * @param what a few words; may be empty
     */
    private record Subject(String verdict, List<RangeId> ranges, List<NodeId> nodes, String what) {
        static Optional<Subject> of(Move move) {
            return Optional.of(
                    new Subject(
                            "MOVE",
                            List.of(move.rangeId()),
                            JournalNotes.nodes(move.add(), move.remove()),
                            members(move.add(), move.remove()) + ", " + move.reason()));
        }

        static Optional<Subject> ofSplit(String what, RangeId range, List<RangeId> children) {
            List<RangeId> ranges = new ArrayList<>(List.of(range));
            ranges.addAll(children);
            return Optional.of(new Subject("SPLIT", ranges, List.of(), what));
        }

        static Optional<Subject> of(Merge merge, String what) {
            return Optional.of(
                    new Subject(
                            "MERGE",
                            List.of(merge.leftId(), merge.rightId()),
                            List.of(),
                            "range "
                                    + merge.leftId()
                                    + " absorbs range "
                                    + merge.rightId()
                                    + ", "
                                    + what));
        }

        static Optional<Subject> of(NodeId node, String what) {
            return Optional.of(new Subject("NODE", List.of(), List.of(node), what));
        }

        static Optional<Subject> ofCluster(String verdict) {
            return Optional.of(new Subject(verdict, List.of(), List.of(), ""));
        }
    }

    /** Empty: what nobody decided, or what notes itself. */
    private static final class SubjectOf implements MapCommand.Cases<Optional<Subject>> {
        @Override
        public Optional<Subject> found(MapCommand.FoundCluster found) {
            return Optional.empty();
        }

        @Override
        public Optional<Subject> raiseLevel(MapCommand.RaiseLevel raise) {
            return Subject.ofCluster("UPGRADE");
        }

        @Override
        public Optional<Subject> register(MapCommand.RegisterNode register) {
            return Optional.empty();
        }

        @Override
        public Optional<Subject> ensure(MapCommand.EnsureAccount ensure) {
            return Optional.empty();
        }

        @Override
        public Optional<Subject> lease(MapCommand.LeaseObjectIds lease) {
            return Optional.empty();
        }

        @Override
        public Optional<Subject> setNodeState(MapCommand.SetNodeState set) {
            return Optional.of(
                    new Subject(
                            "NODE",
                            List.of(),
                            JournalNotes.nodes(Optional.of(set.nodeId()), set.replacement()),
                            set.nodeId() + " " + set.state()));
        }

        @Override
        public Optional<Subject> beginMove(MapCommand.BeginMove begin) {
            return Subject.of(begin.move());
        }

        @Override
        public Optional<Subject> endMove(MapCommand.EndMove end) {
            return Subject.of(end.move());
        }

        @Override
        public Optional<Subject> updateRange(MapCommand.UpdateRange update) {
            return Optional.empty();
        }

        @Override
        public Optional<Subject> confirmRange(MapCommand.ConfirmRange confirm) {
            return Optional.empty();
        }

        @Override
        public Optional<Subject> createAccount(MapCommand.CreateAccount create) {
            return Subject.ofCluster("ACCOUNT");
        }

        @Override
        public Optional<Subject> rotateKey(MapCommand.RotateKey rotate) {
            return Subject.ofCluster("ACCOUNT");
        }

        @Override
        public Optional<Subject> suspendAccount(MapCommand.SuspendAccount suspend) {
            return Subject.ofCluster("ACCOUNT");
        }

        @Override
        public Optional<Subject> takeDisruptionLease(MapCommand.TakeDisruptionLease take) {
            return Subject.of(take.lease().nodeId(), "disruption permit");
        }

        @Override
        public Optional<Subject> returnDisruptionLease(MapCommand.ReturnDisruptionLease giveBack) {
            return Subject.of(giveBack.nodeId(), "disruption permit returned");
        }

        @Override
        public Optional<Subject> setManagers(MapCommand.SetManagers set) {
            return Subject.ofCluster("MANAGERS");
        }

        @Override
        public Optional<Subject> beginSplit(MapCommand.BeginSplit begin) {
            return Optional.of(
                    new Subject(
                            "SPLIT",
                            List.of(begin.rangeId()),
                            begin.childLeader().stream().toList(),
                            begin.reason().toString()));
        }

        @Override
        public Optional<Subject> abandonSplit(MapCommand.AbandonSplit abandon) {
            return Subject.ofSplit(
                    "is given up", abandon.split().rangeId(), abandon.split().childIds());
        }

        @Override
        public Optional<Subject> endSplit(MapCommand.EndSplit end) {
            return Subject.ofSplit("was given up", end.split().rangeId(), end.split().childIds());
        }

        @Override
        public Optional<Subject> cutRange(MapCommand.CutRange cut) {
            return Subject.ofSplit("done", cut.split().rangeId(), cut.childIds());
        }

        @Override
        public Optional<Subject> beginMerge(MapCommand.BeginMerge begin) {
            return Subject.of(begin.merge(), begin.merge().reason().toString());
        }

        @Override
        public Optional<Subject> abandonMerge(MapCommand.AbandonMerge abandon) {
            return Subject.of(abandon.merge(), "is given up");
        }

        @Override
        public Optional<Subject> endMerge(MapCommand.EndMerge end) {
            return Subject.of(end.merge(), "was given up");
        }

        @Override
        public Optional<Subject> joinRanges(MapCommand.JoinRanges join) {
            return Subject.of(join.merge(), "done");
        }

        @Override
        public Optional<Subject> recoverRange(MapCommand.RecoverRange recover) {
            return Optional.of(
                    new Subject(
                            "RECOVERY",
                            List.of(recover.rangeId(), recover.successorId()),
                            List.of(recover.survivor()),
                            "from what node " + recover.survivor() + " holds"));
        }

        @Override
        public Optional<Subject> endRecovery(MapCommand.EndRecovery end) {
            return Optional.of(
                    new Subject("RECOVERY", List.of(end.recovery().rangeId()), List.of(), "done"));
        }

        @Override
        public Optional<Subject> setPolicy(MapCommand.SetPolicy set) {
            return Optional.empty();
        }

        @Override
        public Optional<Subject> note(MapCommand.NoteDecisions note) {
            return Optional.empty();
        }

        @Override
        public Optional<Subject> noted(MapCommand.Noted noted) {
            return Optional.empty();
        }
    }
}
