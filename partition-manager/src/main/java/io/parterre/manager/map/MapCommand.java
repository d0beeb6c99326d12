package io.parterre.manager.map;

import io.parterre.key.Key;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.pcollections.TreePMap;

/** A change of the cluster's map: proposed by the leader, applied in log order by every manager. */
public sealed interface MapCommand {
    /** The answer of the case for this kind of command. */
    default <R> R match(Cases<R> cases) {
        return CommandCases.answer(cases, this);
    }

    private static void refuseIf(boolean wrong, String name, Object value, Object expected) {
        if (wrong) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + expected + ")");
        }
    }

    /** One answer for each kind of command; a new kind fails to compile wherever it is missed. */
    interface Cases<R> {
        R found(FoundCluster found);

        R raiseLevel(RaiseLevel raise);

        R register(RegisterNode register);

        R ensure(EnsureAccount ensure);

        R lease(LeaseObjectIds lease);

        R setNodeState(SetNodeState set);

        R beginMove(BeginMove begin);

        R endMove(EndMove end);

        R updateRange(UpdateRange update);

        R confirmRange(ConfirmRange confirm);

        R createAccount(CreateAccount create);

        R rotateKey(RotateKey rotate);

        R suspendAccount(SuspendAccount suspend);

        R encryptKeys(EncryptKeys encrypt);

        R takeDisruptionLease(TakeDisruptionLease take);

        R returnDisruptionLease(ReturnDisruptionLease giveBack);

        R setManagers(SetManagers set);

        R beginSplit(BeginSplit begin);

        R abandonSplit(AbandonSplit abandon);

        R endSplit(EndSplit end);

        R recoverRange(RecoverRange recover);

        R endRecovery(EndRecovery end);

        R completeSplit(CompleteSplit completed);

        R beginMerge(BeginMerge begin);

        R abandonMerge(AbandonMerge abandon);

        R endMerge(EndMerge end);

        R joinRanges(JoinRanges join);

        R setPolicy(SetPolicy set);

        R note(NoteDecisions note);

        R noted(Noted noted);
    }

    /**
     * Gives the cluster its id and one range over every key. A second one changes nothing and is
     * told the id that won.
     *
     * @param members registered nodes that shall hold the first range
     * @param level at which it begins: all that there are can read it
     */
    record FoundCluster(ClusterId clusterId, List<NodeId> members, FeatureLevel level)
            implements MapCommand {
        public FoundCluster {
            members = List.copyOf(members);
            refuseIf(
                    members.isEmpty() || members.stream().distinct().count() != members.size(),
                    "members",
                    members,
                    "at least one, none twice");
        }

        /** By managers and nodes of this release alone. */
        public FoundCluster(ClusterId clusterId, List<NodeId> members) {
            this(clusterId, members, FeatureLevel.NEWEST);
        }
    }

    /**
     * Raises the cluster's feature level, for good: a release that does not read it takes no part
     * any more.
     *
     * @param decidedAt the level that this one follows
     */
    record RaiseLevel(FeatureLevel decidedAt, FeatureLevel level) implements MapCommand {
        public RaiseLevel {
            refuseIf(!level.isAbove(decidedAt), "level", level, "above " + decidedAt);
        }
    }

    /**
     * Makes a node known, or changes its addresses, zone, version or incarnation. What operators
     * want of a known node stays; one that has left is refused.
     */
    record RegisterNode(ClusterNode node) implements MapCommand {}

    /**
     * Sees to it that the account exists with exactly these keys, as the configuration says; its id
     * never changes.
     *
     * @param suspended whether nobody may use it; what it owns stays
     */
    record EnsureAccount(AccountName name, List<StoredKey> keys, boolean suspended)
            implements MapCommand {
        public EnsureAccount {
            keys = ClusterAccount.checkedKeys(keys);
        }

        /** Whether the account is as the command would leave it. */
        public boolean isMetBy(ClusterAccount account) {
            return account.keys().equals(keys)
                    && account.suspended() == suspended
                    && account.origin() == AccountOrigin.CONFIGURED;
        }
    }

    /** Takes a block of numbers for new tables, queues and containers. */
    record LeaseObjectIds(int count) implements MapCommand {
        public static final int COUNT_MAX = 1_000_000;

        public LeaseObjectIds {
            refuseIf(count <= 0 || count > COUNT_MAX, "count", count, "1.." + COUNT_MAX);
        }
    }

    /**
     * Says what operators want of a node. {@code REMOVED} only once it holds nothing.
     *
     * @param replacement who gets its replicas; only while it is decommissioned
     */
    record SetNodeState(NodeId nodeId, NodeState state, Optional<NodeId> replacement)
            implements MapCommand {
        public SetNodeState {
            if (replacement.isPresent()
                    && (state != NodeState.DECOMMISSIONING || replacement.get().equals(nodeId))) {
                throw new IllegalArgumentException(
                        "replacement: "
                                + replacement.get()
                                + " (expected: another node, in place of one that leaves)");
            }
        }

        public SetNodeState(NodeId nodeId, NodeState state) {
            this(nodeId, state, Optional.empty());
        }
    }

    /**
     * Records a change of a range's members before anything is done about it; refused if the range
     * has another generation by now.
     */
    record BeginMove(Move move) implements MapCommand {}

    /** Forgets a move that is at its end; refused if the range has another one by now. */
    record EndMove(Move move, MoveEnd end) implements MapCommand {}

    /**
     * Follows the range's own log: it has these members now.
     *
     * @param decidedAt generation that the map must still have
     * @param generation a later one
     */
    record UpdateRange(
            RangeId rangeId, Generation decidedAt, Generation generation, List<NodeId> members)
            implements MapCommand {
        public UpdateRange {
            members = List.copyOf(members);
            refuseIf(
                    members.isEmpty() || members.stream().distinct().count() != members.size(),
                    "members",
                    members,
                    "at least one, none twice");
            refuseIf(
                    generation.compareTo(decidedAt) <= 0,
                    "generation",
                    generation,
                    "after " + decidedAt);
        }
    }

    /** The range's members have reported it: from here on no replica is made from nothing. */
    record ConfirmRange(RangeId rangeId) implements MapCommand {}

    /** Makes an account; refused if there is one of that name. */
    record CreateAccount(AccountName name, List<StoredKey> keys) implements MapCommand {
        public CreateAccount {
            keys = ClusterAccount.checkedKeys(keys);
        }
    }

    /**
     * Gives an account another key in place of one of its two.
     *
     * @param number 1 or 2; the second may be its first second one
     */
    record RotateKey(AccountName name, int number, StoredKey key) implements MapCommand {
        public RotateKey {
            refuseIf(
                    number < 1 || number > ClusterAccount.KEYS_MAX,
                    "key number",
                    number,
                    "1.." + ClusterAccount.KEYS_MAX);
        }
    }

    /**
     * Keeps the keys of an account encrypted, or encrypted with another key; they stay the same.
     * Refused if the map has changed: they might be others.
     *
     * @param decidedAt version of the map that they were taken from
     */
    record EncryptKeys(AccountName name, long decidedAt, List<EncryptedKey> keys)
            implements MapCommand {
        public EncryptKeys {
            keys = List.copyOf(keys);
            refuseIf(
                    keys.isEmpty() || keys.size() > ClusterAccount.KEYS_MAX,
                    "account keys",
                    keys.size(),
                    "1.." + ClusterAccount.KEYS_MAX);
        }
    }

    /** Lets nobody use an account, or lets it be used again; what it owns stays. */
    record SuspendAccount(AccountName name, boolean suspended) implements MapCommand {}

    /**
     * Gives one node the disruption permit; refused while another one has it.
     *
     * @param now time by the leader's clock, by which the last lease may have run out
     */
    record TakeDisruptionLease(DisruptionLease lease, Instant now) implements MapCommand {
        public TakeDisruptionLease {
            now = now.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /** Ends a node's leave; nothing changes if it has none. */
    record ReturnDisruptionLease(NodeId nodeId) implements MapCommand {}

    /**
     * Says which partition managers there shall be; refused if another set has been decided on
     * meanwhile. The set as it is changes nothing.
     *
     * @param decidedAt generation of the set that this one follows
     */
    record SetManagers(long decidedAt, List<ClusterManager> managers) implements MapCommand {
        public SetManagers {
            managers = new Managers(decidedAt, managers).all();
            if (managers.isEmpty()) {
                throw new IllegalArgumentException("managers: none (expected: at least one)");
            }
        }
    }

    /**
     * Records that a range is to be split, and gives the children their ids, before anything is
     * done about it; refused if the range has another generation by now.
     *
     * @param splitPoint first key of the only child; empty: the range's leader chooses
     * @param childLeader member that is to lead the only child; empty: the leader of the range
     * @param parts ranges that are to take the place of one, 2 to {@link Split#PARTS_MAX}; fewer,
     *     if there are too few places to split
     */
    record BeginSplit(
            RangeId rangeId,
            Generation decidedAt,
            Optional<Key> splitPoint,
            Optional<NodeId> childLeader,
            SplitReason reason,
            Instant begun,
            int parts)
            implements MapCommand {
        public BeginSplit {
            begun = begun.truncatedTo(ChronoUnit.MILLIS);
            boolean fixed = splitPoint.isPresent() || childLeader.isPresent();
            refuseIf(
                    parts < 2 || parts > Split.PARTS_MAX || fixed && parts > 2,
                    "parts",
                    parts,
                    "2.." + Split.PARTS_MAX + ", with a split point or a leader 2");
        }

        /** In two. */
        public BeginSplit(
                RangeId rangeId,
                Generation decidedAt,
                Optional<Key> splitPoint,
                Optional<NodeId> childLeader,
                SplitReason reason,
                Instant begun) {
            this(rangeId, decidedAt, splitPoint, childLeader, reason, begun, 2);
        }
    }

    /**
     * Decides that a split is given up, if it has not taken effect yet. From then on the range's
     * leader is ordered to raise its generation, which refuses a split still under way.
     */
    record AbandonSplit(Split split, Reason why) implements MapCommand {}

    /** Forgets a split that has not taken effect and cannot any more. */
    record EndSplit(Split split) implements MapCommand {}

    /**
     * Follows the range's own log: it was split. All parts are served by the same members from here
     * on.
     *
     * @param splitPoints first keys of the children, ascending; one at least, and for some of the
     *     last ids there may be none
     * @param generation of all
     */
    record CompleteSplit(
            Split split, List<Key> splitPoints, Generation generation, List<NodeId> members)
            implements MapCommand {
        public CompleteSplit {
            members = List.copyOf(members);
            splitPoints = List.copyOf(splitPoints);
            boolean ascending = !splitPoints.isEmpty();
            for (int i = 1; i < splitPoints.size(); i++) {
                ascending &= splitPoints.get(i - 1).compareTo(splitPoints.get(i)) < 0;
            }
            refuseIf(!ascending, "split points", splitPoints, "one or more, ascending");
            refuseIf(
                    generation.compareTo(split.decidedAt()) <= 0,
                    "generation",
                    generation,
                    "after " + split.decidedAt());
        }

        /** In two. */
        public CompleteSplit(
                Split split, Key splitPoint, Generation generation, List<NodeId> members) {
            this(split, List.of(splitPoint), generation, members);
        }

        /** Ids of the children that there are. */
        public List<RangeId> childIds() {
            return split.childIds().subList(0, splitPoints.size());
        }
    }

    /**
     * Records that two neighbours are to become one, before anything is done about it; refused if
     * one of them has another generation by now, or is being changed. From here on nothing else is
     * begun about either, but for moves that serve it.
     */
    record BeginMerge(Merge merge) implements MapCommand {
        public BeginMerge {
            refuseIf(merge.abandoned().isPresent(), "merge", merge, "a new one");
        }
    }

    /**
     * Decides that a merge is given up, if it has not taken effect yet. From then on the left
     * range's leader is ordered to raise its generation, which refuses a join still under way.
     */
    record AbandonMerge(Merge merge, Reason why) implements MapCommand {}

    /** Forgets a merge that has not taken effect and cannot any more. */
    record EndMerge(Merge merge) implements MapCommand {}

    /**
     * Follows the left range's own log: it has absorbed the right one, which no longer exists.
     *
     * @param generation of the wider range, above any that one of the two ever had
     */
    record JoinRanges(Merge merge, Generation generation, List<NodeId> members)
            implements MapCommand {
        public JoinRanges {
            members = List.copyOf(members);
            refuseIf(
                    generation.compareTo(merge.leftDecidedAt()) <= 0
                            || generation.compareTo(merge.rightDecidedAt()) <= 0,
                    "generation",
                    generation,
                    "after " + merge.leftDecidedAt() + " and " + merge.rightDecidedAt());
        }
    }

    /**
     * Gives up a range whose majority is lost for good, for another one over the same keys that
     * goes on from what one node holds; refused if the range has another generation by now.
     *
     * @param successorId the next id that no range ever had
     * @param generation of the successor, later than any of the range's
     */
    record RecoverRange(
            RangeId rangeId,
            Generation decidedAt,
            RangeId successorId,
            Generation generation,
            NodeId survivor,
            Instant begun)
            implements MapCommand {
        public RecoverRange {
            begun = begun.truncatedTo(ChronoUnit.MILLIS);
            refuseIf(
                    generation.compareTo(decidedAt) <= 0,
                    "generation",
                    generation,
                    "after " + decidedAt);
        }
    }

    /** The range goes on: nodes that hold a replica of the lost one may give it up. */
    record EndRecovery(Recovery recovery) implements MapCommand {}

    /**
     * Says what the planners shall aim at; refused if that has been changed meanwhile. Values as
     * they are change nothing. The journal has what changed, and who changed it.
     *
     * @param decidedAt version that this one follows
     * @param values by key; keys that are not among them stay as they are
     * @param by who says so, for people
     * @param at by the clock of the leader
     */
    record SetPolicy(long decidedAt, SortedMap<String, String> values, String by, Instant at)
            implements MapCommand {
        public SetPolicy {
            values = TreePMap.from(values);
            at = at.truncatedTo(ChronoUnit.MILLIS);
            refuseIf(
                    values.size() > PolicyValues.COUNT_MAX,
                    "values",
                    values.size(),
                    "at most " + PolicyValues.COUNT_MAX);
            values.forEach(
                    (key, value) -> {
                        requireShort("key", key);
                        requireShort(key, value);
                    });
            requireShort("by", by);
        }

        private static void requireShort(String name, String text) {
            refuseIf(
                    text.length() > PolicyValues.LENGTH_MAX,
                    name,
                    text.length() + " characters",
                    "at most " + PolicyValues.LENGTH_MAX);
        }
    }

    /** Puts into the journal what changes nothing else of the map. */
    record NoteDecisions(List<JournalEntry> entries) implements MapCommand {
        public NoteDecisions {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Another command, and what the journal gets if it changes the map: both or none, however often
     * it is proposed.
     */
    record Noted(MapCommand command, JournalEntry entry) implements MapCommand {
        public Noted {
            if (command instanceof Noted) {
                throw new IllegalArgumentException("command: noted (expected: one without a note)");
            }
        }
    }
}
