package io.parterre.manager.plan.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapCommand.EnsureAccount;
import io.parterre.manager.plan.policy.CopysetPolicy;
import io.parterre.manager.plan.request.ConfiguredAccounts;
import io.parterre.manager.plan.view.Maps;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class FoundingTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");

    /** No cluster of a test is so large that it is looked at who is near whom. */
    private static final CopysetPolicy POLICY = CopysetPolicy.DEFAULT;

    private static ClusterMap after(ClusterMap map, MapCommand... commands) {
        ClusterMap result = map;
        for (MapCommand command : commands) {
            result = MapApply.apply(result, command).map();
        }
        return result;
    }

    private static MapCommand register(NodeId nodeId) {
        return new MapCommand.RegisterNode(new ClusterNode(nodeId, "s:1", "r:1", "", ""));
    }

    private static final ClusterMap FOUNDED =
            after(
                    ClusterMap.EMPTY,
                    register(N1),
                    register(N2),
                    new MapCommand.FoundCluster(new ClusterId("c"), List.of(N1)));

    @Test
    void bootstrapPicksMembers_whenEnoughRegisteredNodesReport() {
        ClusterMap two = after(ClusterMap.EMPTY, register(N1), register(N2));
        assertThat(Founding.decide(two, List.of(N2), 2, POLICY))
                .isEqualTo(new Founding.TooFewNodes(1, 2));
        assertThat(Founding.decide(two, List.of(N2, N1), 2, POLICY))
                .isEqualTo(new Founding.FoundOn(List.of(N1, N2)));
        assertThat(Founding.decide(two, List.of(N2, N1), 1, POLICY))
                .isEqualTo(new Founding.FoundOn(List.of(N1)));
        assertThat(Founding.decide(ClusterMap.EMPTY, List.of(N1), 1, POLICY))
                .as("reported, but not registered yet")
                .isEqualTo(new Founding.TooFewNodes(0, 1));
        assertThat(Founding.decide(FOUNDED, List.of(N1), 1, POLICY))
                .isEqualTo(new Founding.AlreadyFounded());
    }

    @Test
    void bootstrapSpreadsMembersOverZones() {
        ClusterMap map = ClusterMap.EMPTY;
        List<NodeId> heard = List.of(N1, N2, new NodeId("n3"), new NodeId("n4"), new NodeId("n5"));
        for (NodeId node : heard) {
            map = after(map, new MapCommand.RegisterNode(Maps.node(node, zone(node))));
        }
        assertThat(Founding.decide(map, heard, 3, POLICY))
                .isEqualTo(new Founding.FoundOn(Maps.ids(1, 4, 5)));
        assertThat(Founding.decide(map, heard, 5, POLICY))
                .isEqualTo(new Founding.FoundOn(Maps.ids(1, 4, 5, 2, 3)));
    }

    @Test
    void bootstrapPicksCopyset_whenClusterHasManyNodes() {
        ClusterMap map = ClusterMap.EMPTY;
        List<NodeId> heard = new ArrayList<>();
        for (int n = 1; n <= 40; n++) {
            heard.add(Maps.id(n));
            map = after(map, new MapCommand.RegisterNode(Maps.node(Maps.id(n), "z" + n % 3)));
        }
        Copysets copysets = Copysets.of(map.nodes(), 3, CopysetPolicy.DEFAULT);
        assertThat(Founding.decide(map, heard, 3, POLICY))
                .isInstanceOfSatisfying(
                        Founding.FoundOn.class,
                        on -> {
                            assertThat(copysets.isCopyset(on.members())).isTrue();
                            assertThat(on.members())
                                    .extracting(
                                            node -> Integer.parseInt(node.value().substring(1)) % 3)
                                    .doesNotHaveDuplicates();
                        });
        assertThat(Founding.decide(map, heard, 3, new CopysetPolicy(41, 3)))
                .as("too few nodes")
                .isEqualTo(new Founding.FoundOn(Maps.ids(1, 11, 12)));
    }

    private static String zone(NodeId node) {
        return switch (node.value()) {
            case "n4" -> "b";
            case "n5" -> "c";
            default -> "a";
        };
    }

    @Test
    void configuredAccountIsEnsured_whenMissingOrKeysDiffer() {
        EnsureAccount one = ensure("account1", 1);
        EnsureAccount two = ensure("account2", 2);
        ClusterMap map = after(FOUNDED, one, ensure("account2", 9));
        assertThat(ConfiguredAccounts.missing(map, List.of(one, two), UnaryOperator.identity()))
                .containsExactly(two);
        assertThat(
                        ConfiguredAccounts.missing(
                                after(map, two), List.of(one, two), UnaryOperator.identity()))
                .isEmpty();
    }

    /** The development account's key is known to everybody: it must not outlive its use. */
    @Test
    void accountIsSuspended_whenRemovedFromConfiguration() {
        EnsureAccount own = ensure("account1", 1);
        EnsureAccount development = ensure("devstoreaccount1", 2);
        ClusterMap both = after(FOUNDED, development, own);
        EnsureAccount suspension = new EnsureAccount(development.name(), development.keys(), true);

        assertThat(ConfiguredAccounts.missing(both, List.of(own), UnaryOperator.identity()))
                .containsExactly(suspension);
        ClusterMap suspended = after(both, suspension);
        assertThat(suspended.account(development.name()).orElseThrow().suspended()).isTrue();
        assertThat(ConfiguredAccounts.missing(suspended, List.of(own), UnaryOperator.identity()))
                .isEmpty();

        assertThat(
                        ConfiguredAccounts.missing(
                                suspended, List.of(own, development), UnaryOperator.identity()))
                .as("named again")
                .containsExactly(development);
        assertThat(ConfiguredAccounts.missing(both, List.of(), UnaryOperator.identity()))
                .as("none configured")
                .isEmpty();
    }

    @Test
    void operatorAccountIsUntouched_whenNotConfigured() {
        EnsureAccount own = ensure("account1", 1);
        ClusterMap both =
                after(
                        FOUNDED,
                        own,
                        new MapCommand.CreateAccount(new AccountName("made"), own.keys()));
        assertThat(ConfiguredAccounts.missing(both, List.of(own), UnaryOperator.identity()))
                .isEmpty();
    }

    private static EnsureAccount ensure(String name, int key) {
        return new EnsureAccount(
                new AccountName(name), List.of(AccountKey.of(new byte[] {(byte) key})), false);
    }
}
