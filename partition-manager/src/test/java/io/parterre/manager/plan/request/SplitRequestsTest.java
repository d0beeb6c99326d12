package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeySpace;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SplitRequestsTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final RangeId R1 = new RangeId(1);
    private static final Key SPLIT_POINT = Key.copyOf(new byte[] {2});

    private static final Key INSIDE =
            KeyCodec.entity(
                    new Scope(KeySpace.ENTITY, new AccountId(1), new ObjectId(7)), "a", "1");

    private ClusterMap map =
            Maps.of(
                    List.of(
                            Maps.node(id(1), ""),
                            Maps.node(id(2), ""),
                            Maps.node(id(3), ""),
                            Maps.node(id(4), "")),
                    List.of(ids(1, 2, 3)));
    private boolean led = true;
    private Policy policy = Policy.DEFAULT;

    private String judge(Optional<Key> splitPoint, Optional<NodeId> leader) {
        return judge(R1, splitPoint, leader);
    }

    private String judge(RangeId rangeId, Optional<Key> splitPoint, Optional<NodeId> leader) {
        return judge(rangeId, splitPoint, leader, 2);
    }

    private String judge(
            RangeId rangeId, Optional<Key> splitPoint, Optional<NodeId> leader, int parts) {
        Verdict verdict = SplitRequests.split(view(), rangeId, splitPoint, leader, parts);
        if (verdict instanceof Verdict.Do done) {
            assertThat(done.commands())
                    .containsExactly(
                            new MapCommand.BeginSplit(
                                    R1,
                                    new Generation(1),
                                    splitPoint,
                                    leader,
                                    SplitReason.OPERATOR,
                                    NOW,
                                    parts));
            return String.join("; ", ReasonText.all(done.effects()));
        }
        return Said.of(verdict);
    }

    private ClusterView view() {
        Map<NodeId, LastReport> heard = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            NodeReport.Replica replica =
                    new NodeReport.Replica(
                            R1,
                            Generation.FIRST,
                            led && node.nodeId().equals(id(1)),
                            1,
                            1,
                            List.of(),
                            List.of(),
                            false);
            heard.put(
                    node.nodeId(),
                    LastReport.next(
                            Optional.empty(),
                            new NodeReport(node, map.clusterId(), List.of(replica)),
                            NOW,
                            List.of(),
                            Leaders.of(Map.of()),
                            Map.of(),
                            false,
                            DiskPolicy.DEFAULT));
        }
        return new ClusterView(map, heard, Map.of(R1, id(1)), Instant.EPOCH, NOW, policy, Map.of());
    }

    @Test
    void splitUsesGivenPointElseHalvesTheBytes() {
        assertThat(judge(Optional.of(SPLIT_POINT), Optional.of(id(2))))
                .isEqualTo(
                        "range 1 is split at 02, a new range gets what lies behind;"
                                + " node n2 is to lead the new range");
        assertThat(judge(Optional.empty(), Optional.empty())).contains("half of its bytes");
    }

    @Test
    void splitRequestIsRejected_whenPointOrLeaderIsInvalid() {
        assertThat(judge(new RangeId(9), Optional.empty(), Optional.empty()))
                .contains("range 9 does not exist");
        assertThat(judge(Optional.of(Key.FIRST), Optional.empty())).startsWith("invalid: ");
        assertThat(judge(Optional.of(Key.LAST), Optional.empty())).startsWith("invalid: ");
        assertThat(judge(Optional.of(Key.copyOf(new byte[] {0})), Optional.empty()))
                .as("of no known space")
                .startsWith("invalid: ")
                .contains("00 (expected: the beginning of a partition");
        assertThat(judge(Optional.of(INSIDE), Optional.empty()))
                .as("inside a partition")
                .startsWith("invalid: ");
        assertThat(judge(Optional.empty(), Optional.of(id(9)))).contains("node n9 does not exist");
        assertThat(judge(Optional.empty(), Optional.of(id(4))))
                .as("no member")
                .contains("node n4 cannot lead a part of range 1 now");
        led = false;
        assertThat(judge(Optional.empty(), Optional.empty())).contains("range 1 has no leader now");
    }

    @Test
    void splitRequestIsRejected_whenChildLeaderDrainsLeadership() {
        map = after(map, new MapCommand.SetNodeState(id(2), NodeState.LEADERSHIP_DRAINED));
        assertThat(judge(Optional.empty(), Optional.of(id(2)))).startsWith("refused: ");
    }

    /** Each of its members gets a replica of the new range. */
    @Test
    void splitRequestIsRejected_whenAMemberIsFull() {
        policy = Policy.DEFAULT.withReplicasPerNodeMax(1);
        assertThat(judge(Optional.empty(), Optional.empty()))
                .contains(
                        "node n1 would get a replica of the new range and holds 1 already"
                                + " (limit: 1)");
        policy = Policy.DEFAULT.withReplicasPerNodeMax(2);
        assertThat(judge(Optional.empty(), Optional.empty())).contains("half of its bytes");
    }

    @Test
    void splitMakesRequestedParts_whenCountIs2To16() {
        assertThat(judge(R1, Optional.empty(), Optional.empty(), 4))
                .isEqualTo(
                        "range 1 is split in 4 of about as many bytes, or in fewer if large partitions"
                                + " are in the way; 3 new ranges get what lies behind the first split point");
        assertThat(judge(R1, Optional.empty(), Optional.empty(), 16))
                .startsWith("range 1 is split in");
        for (int parts : new int[] {-1, 1, 17}) {
            assertThat(judge(R1, Optional.empty(), Optional.empty(), parts))
                    .startsWith("invalid: ")
                    .contains("parts: " + parts + " (expected: 2..16)");
        }
        assertThat(judge(R1, Optional.of(SPLIT_POINT), Optional.empty(), 3))
                .startsWith("invalid: ")
                .contains("parts: 3 (expected: 2 with a split point");
        assertThat(judge(R1, Optional.empty(), Optional.of(id(2)), 3)).startsWith("invalid: ");
        policy = Policy.DEFAULT.withReplicasPerNodeMax(3);
        assertThat(judge(R1, Optional.empty(), Optional.empty(), 3))
                .startsWith("range 1 is split in 3");
        assertThat(judge(R1, Optional.empty(), Optional.empty(), 4))
                .contains(
                        "node n1 would get replicas of 3 new ranges and holds 1 already (limit: 3)");
    }

    @Test
    void splitRequestIsRejected_whileRangeIsSplitting() {
        map =
                after(
                        map,
                        new MapCommand.BeginSplit(
                                R1,
                                Generation.FIRST,
                                Optional.empty(),
                                Optional.empty(),
                                SplitReason.OPERATOR,
                                NOW,
                                2));
        assertThat(judge(Optional.empty(), Optional.empty()))
                .contains("range 1 is being split already");
    }

    @Test
    void splitRequestIsRejected_whileRangeIsFounded() {
        TwoRanges founding = TwoRanges.founding(ids(1, 2, 3));
        assertThat(
                        Said.of(
                                SplitRequests.split(
                                        founding.view(),
                                        R1,
                                        Optional.empty(),
                                        Optional.empty(),
                                        2)))
                .isEqualTo("refused: range 1 is being founded");
    }
}
