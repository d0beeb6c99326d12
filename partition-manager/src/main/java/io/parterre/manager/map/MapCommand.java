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

/**
 * A change of the cluster's map, proposed by the leader and applied in log order by every manager.
 * Immutable.
 */
public sealed interface MapCommand {
    /** Returns the result of the case for this type of command. */
    default <R> R match(Cases<R> cases) {
        return CommandCases.answer(cases, this);
    }

    private static void refuseIf(boolean wrong, String name, Object value, Object expected) {
        if (wrong) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + expected + ")");
        }
    }

    /** One result for each type of command. Code that misses a new type does not compile. */
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
     * Creates the cluster: gives it its id and one range over all keys. A second such command
     * changes nothing and gets the id of the first.
     *
     * @param members registered nodes that are to hold the first range
     * @param level feature level of the new cluster, which all its processes read
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

        /** Creates a command for a cluster in which all processes run this release. */
        public FoundCluster(ClusterId clusterId, List<NodeId> members) {
            this(clusterId, members, FeatureLevel.NEWEST);
        }
    }

    /**
     * Raises the cluster's feature level for good. A release that does not read it is excluded from
     * then on.
     *
     * @param decidedAt the level that this one follows
     */
    record RaiseLevel(FeatureLevel decidedAt, FeatureLevel level) implements MapCommand {
        public RaiseLevel {
            refuseIf(!level.isAbove(decidedAt), "level", level, "above " + decidedAt);
        }
    }

    /**
     * Adds a node, or changes its addresses, zone, version or incarnation. The state that operators
     * set stays. A removed node is refused.
     */
    record RegisterNode(ClusterNode node) implements MapCommand {}

    /**
     * Makes the account have exactly these keys, as the configuration says. Its id never changes.
     *
     * @param suspended if true, the account must not be used; its data stays
     */
    record EnsureAccount(AccountName name, List<StoredKey> keys, boolean suspended)
            implements MapCommand {
        public EnsureAccount {
            keys = ClusterAccount.checkedKeys(keys);
        }

        /** Returns whether the account is as the command would leave it. */
        public boolean isMetBy(ClusterAccount account) {
            return account.keys().equals(keys)
                    && account.suspended() == suspended
                    && account.origin() == AccountOrigin.CONFIGURED;
        }
    }

    /** Reserves a block of ids for new tables, queues and containers. */
    record LeaseObjectIds(int count) implements MapCommand {
        public static final int COUNT_MAX = 1_000_000;

        public LeaseObjectIds {
            refuseIf(count <= 0 || count > COUNT_MAX, "count", count, "1.." + COUNT_MAX);
        }
    }

    /**
     * Sets the state that operators want of a node. {@code REMOVED} only once the node holds
     * nothing.
     *
     * @param replacement node that gets its replicas; only while it is decommissioned
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
     * Records a change of a range's members before its first step. Refused if the range has another
     * generation by now.
     */
    record BeginMove(Move move) implements MapCommand {}

    /** Forgets a move that has ended. Refused if the range has another one by now. */
    record EndMove(Move move, MoveEnd end) implements MapCommand {}

    /**
     * Updates the range's members as its own log has decided.
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

    /** Records that the range's members have reported it. From then on no empty replica is made. */
    record ConfirmRange(RangeId rangeId) implements MapCommand {}

    /** Creates an account. Refused if one with the same name exists. */
    record CreateAccount(AccountName name, List<StoredKey> keys) implements MapCommand {
        public CreateAccount {
            keys = ClusterAccount.checkedKeys(keys);
        }
    }

    /**
     * Replaces one of an account's two keys.
     *
     * @param number 1 or 2; 2 also adds a second key to an account that has only one
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
     * Stores an account's keys encrypted, or encrypted with another encryption key. The keys
     * themselves stay the same. Refused if the map has changed, because the keys might have changed
     * with it.
     *
     * @param decidedAt version of the map from which the keys were taken
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

    /** Suspends an account, or ends the suspension. Its data stays. */
    record SuspendAccount(AccountName name, boolean suspended) implements MapCommand {}

    /**
     * Gives one node the disruption permit. Refused while another node holds it.
     *
     * @param now time by the leader's clock, by which the last permit may have expired
     */
    record TakeDisruptionLease(DisruptionLease lease, Instant now) implements MapCommand {
        public TakeDisruptionLease {
            now = now.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /** Ends a node's disruption permit. Changes nothing if it has none. */
    record ReturnDisruptionLease(NodeId nodeId) implements MapCommand {}

    /**
     * Sets the wanted partition managers. Refused if the set has been changed meanwhile. An equal
     * set changes nothing.
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
     * Records that a range is to be split, and assigns the children's ids, before the first step.
     * Refused if the range has another generation by now.
     *
     * @param splitPoint first key of the only child; empty if the range's leader chooses
     * @param childLeader member that is to lead the only child; empty for the range's leader
     * @param parts ranges that take the place of the one, 2 to {@link Split#PARTS_MAX}; fewer, if
     *     there are too few split points
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
    }

    /**
     * Records that a split is given up, if it has not taken effect yet. From then on the range's
     * leader is ordered to raise the generation, which refuses a late split.
     */
    record AbandonSplit(Split split, Reason why) implements MapCommand {}

    /** Forgets a split that has not taken effect and cannot any more. */
    record EndSplit(Split split) implements MapCommand {}

    /**
     * Completes a split as the range's own log has decided. All parts have the same members.
     *
     * @param splitPoints first keys of the children, ascending; at least one, and fewer than ids if
     *     there were too few split points
     * @param generation of all parts
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

        /** Completes a split in two. */
        public CompleteSplit(
                Split split, Key splitPoint, Generation generation, List<NodeId> members) {
            this(split, List.of(splitPoint), generation, members);
        }

        /** Returns the ids of the children that exist. */
        public List<RangeId> childIds() {
            return split.childIds().subList(0, splitPoints.size());
        }
    }

    /**
     * Records that two neighbours are to be merged, before the first step. Refused if one of them
     * has another generation by now, or an operation. From then on no other operation of either is
     * begun, except moves for the merge.
     */
    record BeginMerge(Merge merge) implements MapCommand {
        public BeginMerge {
            refuseIf(merge.abandoned().isPresent(), "merge", merge, "a new one");
        }
    }

    /**
     * Records that a merge is given up, if it has not taken effect yet. From then on the left
     * range's leader is ordered to raise its generation, which refuses a late join.
     */
    record AbandonMerge(Merge merge, Reason why) implements MapCommand {}

    /** Forgets a merge that has not taken effect and cannot any more. */
    record EndMerge(Merge merge) implements MapCommand {}

    /**
     * Completes a merge as the left range's own log has decided: it has absorbed the right range,
     * which no longer exists.
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
     * Replaces a range whose majority is lost for good by another one over the same keys, which
     * goes on from one node's replica. Refused if the range has another generation by now.
     *
     * @param successorId the next unused range id
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

    /**
     * Ends a recovery, because the successor is led. From then on nodes may remove replicas of the
     * lost range.
     */
    record EndRecovery(Recovery recovery) implements MapCommand {}

    /**
     * Sets what the planners aim at. Refused if the policy has been changed meanwhile. Equal values
     * change nothing. The journal gets the change and its author.
     *
     * @param decidedAt version that this one follows
     * @param values by key; other keys keep their values
     * @param by author, for people
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

    /** Adds entries to the journal that change nothing else of the map. */
    record NoteDecisions(List<JournalEntry> entries) implements MapCommand {
        public NoteDecisions {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Another command, and a journal entry that is written if the command changes the map. Both
     * happen or none, however often the command is proposed.
     */
    record Noted(MapCommand command, JournalEntry entry) implements MapCommand {
        public Noted {
            if (command instanceof Noted) {
                throw new IllegalArgumentException("command: noted (expected: one without a note)");
            }
        }
    }
}
