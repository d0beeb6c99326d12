package io.parterre.manager.map;

import io.parterre.key.Key;
import io.parterre.manager.reason.ByteCount;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Commands for properties, from few names, so that they meet each other. */
final class MapCommands {
    private static final Reason WHY =
            ReasonCode.OTHERS_ARE_BUSIER.of(
                    ReasonCode.HOLDS.of(new ByteCount(5), "16GiB"),
                    new NodeId("n1"),
                    2.5,
                    new RangeId(3),
                    4);

    private MapCommands() {}

    static Arbitrary<List<MapCommand>> sequences() {
        return Arbitraries.oneOf(
                        nodes(),
                        founders(),
                        raises(),
                        accounts(),
                        leases(),
                        states(),
                        begins(),
                        ends(),
                        updates(),
                        confirmations(),
                        accountChanges(),
                        encryptions(),
                        disruptions(),
                        managers(),
                        splits(),
                        splitPoints(),
                        merges(),
                        merges(),
                        policies(),
                        notes(),
                        recoveries())
                .list()
                .ofMaxSize(80)
                .map(ArrayList::new);
    }

    private static Arbitrary<MapCommand> nodes() {
        Arbitrary<String> zone = Arbitraries.of("", "a", "b");
        Arbitrary<Integer> port = Arbitraries.integers().between(1, 3);
        Arbitrary<String> incarnation = Arbitraries.of("", "i1", "i2", "i3");
        return Combinators.combine(nodeIds(), zone, port, incarnation)
                .as(
                        (nodeId, where, at, made) ->
                                new MapCommand.RegisterNode(
                                        new ClusterNode(
                                                nodeId,
                                                "h:" + at,
                                                "r:" + at,
                                                where,
                                                "",
                                                made,
                                                NodeState.ACTIVE)));
    }

    private static Arbitrary<NodeId> nodeIds() {
        return Arbitraries.integers().between(1, 5).map(n -> new NodeId("n" + n));
    }

    private static Arbitrary<MapCommand> founders() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 9),
                        nodeIds().set().ofMinSize(1).ofMaxSize(3))
                .as(
                        (n, members) ->
                                new MapCommand.FoundCluster(
                                        new ClusterId("c" + n),
                                        members.stream().sorted().toList()));
    }

    private static Arbitrary<MapCommand> raises() {
        return Arbitraries.integers()
                .between(1, FeatureLevel.NEWEST.value() - 1)
                .map(
                        level ->
                                new MapCommand.RaiseLevel(
                                        new FeatureLevel(level), new FeatureLevel(level + 1)));
    }

    private static Arbitrary<MapCommand> accounts() {
        Arbitrary<StoredKey> key =
                Arbitraries.oneOf(
                        Arbitraries.bytes()
                                .array(byte[].class)
                                .ofMinSize(1)
                                .ofMaxSize(4)
                                .map(AccountKey::of),
                        encryptedKeys());
        return Combinators.combine(
                        Arbitraries.integers().between(1, 4), key.list().ofMinSize(1).ofMaxSize(2))
                .as(
                        (n, keys) ->
                                new MapCommand.EnsureAccount(
                                        new AccountName("account" + n), keys, n % 2 == 0));
    }

    private static Arbitrary<EncryptedKey> encryptedKeys() {
        return Combinators.combine(
                        Arbitraries.of("k1", "k2"),
                        Arbitraries.bytes().array(byte[].class).ofSize(EncryptedKey.NONCE_BYTES),
                        Arbitraries.bytes().array(byte[].class).ofMinSize(17).ofMaxSize(20))
                .as(EncryptedKey::new);
    }

    private static Arbitrary<MapCommand> encryptions() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.longs().between(0, 8),
                        encryptedKeys().list().ofMinSize(1).ofMaxSize(2))
                .as(
                        (n, decidedAt, keys) ->
                                new MapCommand.EncryptKeys(
                                        new AccountName("account" + n), decidedAt, keys));
    }

    private static Arbitrary<MapCommand> leases() {
        return Arbitraries.integers().between(1, 1_000).map(MapCommand.LeaseObjectIds::new);
    }

    private static Arbitrary<MapCommand> states() {
        return Combinators.combine(nodeIds(), Arbitraries.of(NodeState.class))
                .as(MapCommand.SetNodeState::new);
    }

    private static Arbitrary<RangeId> rangeIds() {
        return Arbitraries.of(new RangeId(1), new RangeId(1), new RangeId(1), new RangeId(2));
    }

    private static Arbitrary<Generation> generations() {
        return Arbitraries.integers().between(1, 3).map(Generation::new);
    }

    private static Arbitrary<Move> moves() {
        return Combinators.combine(
                        rangeIds(),
                        nodeIds().optional(),
                        nodeIds(),
                        Arbitraries.of(MoveReason.class),
                        generations(),
                        Arbitraries.of(true, false))
                .as(
                        (rangeId, one, other, reason, decidedAt, swap) ->
                                new Move(
                                        rangeId,
                                        swap ? one : Optional.of(other),
                                        swap ? Optional.of(other) : one,
                                        reason,
                                        decidedAt,
                                        Instant.ofEpochMilli(1)));
    }

    private static Arbitrary<MapCommand> begins() {
        return moves().map(MapCommand.BeginMove::new);
    }

    private static Arbitrary<MapCommand> ends() {
        return Combinators.combine(moves(), Arbitraries.of(MoveEnd.class))
                .as(MapCommand.EndMove::new);
    }

    private static Arbitrary<MapCommand> updates() {
        return Combinators.combine(
                        rangeIds(),
                        generations(),
                        Arbitraries.integers().between(1, 2),
                        nodeIds().set().ofMinSize(1).ofMaxSize(3))
                .as(
                        (rangeId, before, steps, members) ->
                                new MapCommand.UpdateRange(
                                        rangeId,
                                        before,
                                        new Generation(before.value() + steps),
                                        members.stream().sorted().toList()));
    }

    private static Arbitrary<MapCommand> confirmations() {
        return rangeIds().map(MapCommand.ConfirmRange::new);
    }

    private static Arbitrary<MapCommand> accountChanges() {
        return Combinators.combine(
                        Arbitraries.integers()
                                .between(1, 4)
                                .map(n -> new AccountName("account" + n)),
                        Arbitraries.integers().between(1, 2),
                        Arbitraries.integers().between(0, 2))
                .as(
                        (name, number, kind) ->
                                switch (kind) {
                                    case 0 ->
                                            new MapCommand.CreateAccount(
                                                    name,
                                                    List.of(
                                                            AccountKey.of(
                                                                    new byte[] {
                                                                        number.byteValue()
                                                                    })));
                                    case 1 ->
                                            new MapCommand.RotateKey(
                                                    name, number, AccountKey.of(new byte[] {9}));
                                    default -> new MapCommand.SuspendAccount(name, number == 1);
                                });
    }

    private static Arbitrary<MapCommand> splits() {
        return Combinators.combine(
                        rangeIds(),
                        generations(),
                        keys().optional(),
                        nodeIds().optional(),
                        Arbitraries.of(SplitReason.class),
                        Arbitraries.integers().between(2, 4))
                .as(
                        (rangeId, decidedAt, splitPoint, leader, reason, parts) ->
                                new MapCommand.BeginSplit(
                                        rangeId,
                                        decidedAt,
                                        splitPoint,
                                        leader,
                                        reason,
                                        Instant.ofEpochMilli(1),
                                        splitPoint.isEmpty() && leader.isEmpty() ? parts : 2));
    }

    private static Arbitrary<Key> keys() {
        return Arbitraries.integers()
                .between(1, 4)
                .map(first -> Key.copyOf(new byte[] {first.byteValue()}));
    }

    /** What may become of the first splits. */
    private static Arbitrary<MapCommand> splitPoints() {
        return Combinators.combine(
                        rangeIds(),
                        Arbitraries.integers().between(2, 4),
                        generations(),
                        keys().set().ofMinSize(1).ofMaxSize(3),
                        Arbitraries.integers().between(0, 3))
                .as(
                        (rangeId, child, decidedAt, splitPoints, kind) -> {
                            Split split =
                                    new Split(
                                            rangeId,
                                            LongStream.range(child, child + splitPoints.size())
                                                    .mapToObj(RangeId::new)
                                                    .toList(),
                                            decidedAt,
                                            Optional.empty(),
                                            Optional.empty(),
                                            SplitReason.SIZE,
                                            Instant.ofEpochMilli(1),
                                            kind == 3 ? Optional.of(WHY) : Optional.empty());
                            return switch (kind) {
                                case 0 -> new MapCommand.AbandonSplit(split, WHY);
                                case 1 -> new MapCommand.EndSplit(split);
                                default ->
                                        new MapCommand.CompleteSplit(
                                                split,
                                                splitPoints.stream().sorted().toList(),
                                                decidedAt.next(),
                                                List.of(new NodeId("n1"), new NodeId("n2")));
                            };
                        });
    }

    /** Of the first ranges, and what may become of them. */
    private static Arbitrary<MapCommand> merges() {
        return Combinators.combine(
                        Arbitraries.of(List.of(1, 2), List.of(1, 2), List.of(2, 3), List.of(1, 3)),
                        generations(),
                        generations(),
                        Arbitraries.of(MergeReason.class),
                        Arbitraries.integers().between(0, 5))
                .as(
                        (pair, leftAt, rightAt, reason, kind) -> {
                            Merge merge =
                                    new Merge(
                                            new RangeId(pair.get(0)),
                                            new RangeId(pair.get(1)),
                                            leftAt,
                                            rightAt,
                                            reason,
                                            Instant.ofEpochMilli(1));
                            return switch (kind) {
                                case 0 -> new MapCommand.AbandonMerge(merge, WHY);
                                case 1 ->
                                        new MapCommand.EndMerge(
                                                merge.asAbandoned(Reason.words("late")));
                                case 2, 3 -> new MapCommand.BeginMerge(merge);
                                default ->
                                        new MapCommand.JoinRanges(
                                                merge,
                                                new Generation(
                                                        Math.max(leftAt.value(), rightAt.value())
                                                                + 1),
                                                List.of(new NodeId("n1"), new NodeId("n2")));
                            };
                        });
    }

    /** Often of a range that there is, under the id that is due. */
    private static Arbitrary<MapCommand> recoveries() {
        return Combinators.combine(
                        rangeIds(),
                        generations(),
                        Arbitraries.integers().between(2, 4),
                        nodeIds(),
                        Arbitraries.of(true, false))
                .as(
                        (rangeId, decidedAt, successor, survivor, begins) -> {
                            RangeId successorId = new RangeId(successor);
                            if (begins || successorId.equals(rangeId)) {
                                return new MapCommand.RecoverRange(
                                        rangeId,
                                        decidedAt,
                                        successorId,
                                        decidedAt.next(),
                                        survivor,
                                        Instant.ofEpochMilli(1));
                            }
                            return new MapCommand.EndRecovery(
                                    new Recovery(
                                            successorId,
                                            rangeId,
                                            survivor,
                                            Instant.ofEpochMilli(1)));
                        });
    }

    private static Arbitrary<MapCommand> disruptions() {
        return Combinators.combine(
                        nodeIds(),
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.integers().between(0, 9),
                        Arbitraries.of(true, false))
                .as(
                        (nodeId, now, length, give) ->
                                give
                                        ? new MapCommand.TakeDisruptionLease(
                                                new DisruptionLease(
                                                        nodeId,
                                                        Instant.ofEpochMilli(now + length),
                                                        ""),
                                                Instant.ofEpochMilli(now))
                                        : new MapCommand.ReturnDisruptionLease(nodeId));
    }

    private static Arbitrary<MapCommand> managers() {
        Arbitrary<ClusterManager> manager =
                Combinators.combine(
                                Arbitraries.integers().between(1, 4), Arbitraries.of("", "a", "b"))
                        .as(
                                (n, incarnation) ->
                                        new ClusterManager(
                                                new NodeId("m" + n),
                                                "r:" + n,
                                                "s:" + n,
                                                incarnation));
        return Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        manager.list()
                                .ofMinSize(1)
                                .ofMaxSize(3)
                                .uniqueElements(ClusterManager::nodeId))
                .as((decidedAt, all) -> new MapCommand.SetManagers(decidedAt, all));
    }

    private static Arbitrary<MapCommand> policies() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.maps(Arbitraries.of("a", "b"), Arbitraries.of("1", "2"))
                                .ofMaxSize(2))
                .as(
                        (decidedAt, values) ->
                                new MapCommand.SetPolicy(
                                        decidedAt,
                                        new TreeMap<>(values),
                                        "who",
                                        Instant.ofEpochMilli(3)));
    }

    private static Arbitrary<MapCommand> notes() {
        return Combinators.combine(
                        Arbitraries.of(JournalEntry.Kind.class),
                        rangeIds().list().ofMaxSize(2).uniqueElements(),
                        nodeIds(),
                        Arbitraries.strings().ofMaxLength(9),
                        Arbitraries.oneOf(states(), begins(), splits(), leases()).optional())
                .as(
                        (kind, ranges, node, why, command) -> {
                            JournalEntry entry =
                                    JournalEntry.once(
                                            kind,
                                            "WHAT",
                                            Instant.ofEpochMilli(4),
                                            ranges,
                                            List.of(node),
                                            why.length() % 2 == 0
                                                    ? Reason.words(why)
                                                    : ReasonCode.LEADER_REFUSED.of(why));
                            return command.<MapCommand>map(
                                            inner -> new MapCommand.Noted(inner, entry))
                                    .orElseGet(() -> new MapCommand.NoteDecisions(List.of(entry)));
                        });
    }

    /** What an operator reads of an outcome that is a refusal. */
    static String refusal(MapOutcome outcome) {
        return ReasonText.of(((MapOutcome.Refused) outcome).reason());
    }
}
