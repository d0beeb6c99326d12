package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Commands for properties, from few names, so that they meet each other. */
final class MapCommands {
    private MapCommands() {}

    static Arbitrary<List<MapCommand>> sequences() {
        return Arbitraries.oneOf(nodes(), founders(), accounts(), leases())
                .list()
                .ofMaxSize(60)
                .map(ArrayList::new);
    }

    private static Arbitrary<MapCommand> nodes() {
        Arbitrary<String> zone = Arbitraries.of("", "a", "b");
        Arbitrary<Integer> port = Arbitraries.integers().between(1, 3);
        return Combinators.combine(nodeIds(), zone, port)
                .as(
                        (nodeId, where, at) ->
                                new MapCommand.RegisterNode(
                                        new ClusterNode(nodeId, "h:" + at, "r:" + at, where, "")));
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

    private static Arbitrary<MapCommand> accounts() {
        Arbitrary<AccountKey> key =
                Arbitraries.bytes()
                        .array(byte[].class)
                        .ofMinSize(1)
                        .ofMaxSize(4)
                        .map(AccountKey::of);
        return Combinators.combine(
                        Arbitraries.integers().between(1, 4), key.list().ofMinSize(1).ofMaxSize(2))
                .as(
                        (n, keys) ->
                                new MapCommand.EnsureAccount(
                                        new AccountName("account" + n), keys, n % 2 == 0));
    }

    private static Arbitrary<MapCommand> leases() {
        return Arbitraries.integers().between(1, 1_000).map(MapCommand.LeaseObjectIds::new);
    }
}
