package io.parterre.manager.plan.explain;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveEnd;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.map.Recovery;
import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What operators read in the journal. */
class JournalNotesTest {
    private static final Instant AT = Instant.ofEpochSecond(5);
    private static final RangeId R1 = new RangeId(1);
    private static final RangeId R2 = new RangeId(2);
    private static final RangeId R3 = new RangeId(3);
    private static final Generation G1 = Generation.FIRST;
    private static final Generation G2 = new Generation(2);
    private static final AccountName ACCOUNT = new AccountName("account");
    private static final AccountKey KEY = AccountKey.of(new byte[] {1});

    private static final Move MOVE =
            new Move(R1, Optional.of(id(4)), Optional.of(id(3)), MoveReason.REPAIR, G1, AT);
    private static final Split SPLIT =
            new Split(
                    R1,
                    List.of(R2, R3),
                    G1,
                    Optional.empty(),
                    Optional.empty(),
                    SplitReason.SIZE,
                    AT,
                    Optional.empty());
    private static final Merge MERGE = new Merge(R1, R2, G1, G1, MergeReason.QUIET, AT);

    private static String text(JournalEntry entry) {
        assertThat(entry.first()).isEqualTo(AT);
        assertThat(entry.count()).isEqualTo(1);
        return entry.kind()
                + " "
                + entry.verdict()
                + " ranges "
                + entry.ranges()
                + " nodes "
                + entry.nodes()
                + ": "
                + entry.why();
    }

    private static String decided(Decision decision) {
        JournalEntry entry = JournalNotes.of(decision, AT);
        assertThat(JournalNotes.decided(new MapCommand.ConfirmRange(R1), decision, AT))
                .isEqualTo(new MapCommand.Noted(new MapCommand.ConfirmRange(R1), entry));
        return text(entry);
    }

    private static Decision.ChangeMembers change(NodeId add, NodeId remove) {
        return new Decision.ChangeMembers(
                R1,
                G1,
                Optional.ofNullable(add),
                Optional.ofNullable(remove),
                MoveReason.REPAIR,
                Reason.words("node n3 is dead"));
    }

    private static Decision.Split split(NodeId childLeader) {
        return new Decision.Split(
                R1,
                G1,
                Optional.empty(),
                Optional.ofNullable(childLeader),
                SplitReason.LOAD,
                2,
                Reason.words("hot"));
    }

    @Test
    void journalNamesRangesAndNodesOfDecision() {
        assertThat(decided(change(id(4), id(3))))
                .isEqualTo(
                        "DECIDED MOVE ranges [1] nodes [n4, n3]: +n4 -n3, REPAIR: node n3 is dead");
        assertThat(decided(change(id(4), null)))
                .isEqualTo("DECIDED MOVE ranges [1] nodes [n4]: +n4, REPAIR: node n3 is dead");
        assertThat(decided(change(id(3), id(3))))
                .as("rebuilt where it is")
                .isEqualTo("DECIDED MOVE ranges [1] nodes [n3]: +n3 -n3, REPAIR: node n3 is dead");
        assertThat(
                        decided(
                                new Decision.TransferLead(
                                        R1, id(1), id(2), Reason.words("it leads more"))))
                .isEqualTo("DECIDED LEAD ranges [1] nodes [n1, n2]: from n1 to n2: it leads more");
        assertThat(decided(split(id(2))))
                .isEqualTo("DECIDED SPLIT ranges [1] nodes [n2]: LOAD: hot");
        assertThat(decided(split(null))).isEqualTo("DECIDED SPLIT ranges [1] nodes []: LOAD: hot");
        assertThat(
                        decided(
                                new Decision.Merge(
                                        R1,
                                        G1,
                                        R2,
                                        G2,
                                        MergeReason.EMPTY,
                                        Reason.words("no rows"))))
                .isEqualTo(
                        "DECIDED MERGE ranges [1, 2] nodes []: range 1 absorbs range 2, EMPTY:"
                                + " no rows");
    }

    @Test
    void journalNamesCause_whenSomethingIsLeftUndone() {
        assertThat(
                        decided(
                                new Decision.Leave(
                                        Optional.of(R1),
                                        Decision.Cause.NO_NODE,
                                        Reason.words("3 nodes"))))
                .isEqualTo("LEFT NO_NODE ranges [1] nodes []: 3 nodes");
        assertThat(
                        decided(
                                new Decision.Leave(
                                        Optional.empty(),
                                        Decision.Cause.BALANCED,
                                        Reason.words("even"))))
                .isEqualTo("LEFT BALANCED ranges [] nodes []: even");
    }

    private static String ended(MapCommand command) {
        MapCommand noted =
                JournalNotes.noted(command, JournalEntry.Kind.ENDED, AT, Reason.words("why"));
        assertThat(noted).isInstanceOf(MapCommand.Noted.class);
        assertThat(((MapCommand.Noted) noted).command()).isEqualTo(command);
        return text(((MapCommand.Noted) noted).entry());
    }

    @Test
    void journalNamesRangesAndNodes_whenMoveOrRecoveryChanges() {
        assertThat(ended(new MapCommand.BeginMove(MOVE)))
                .isEqualTo("ENDED MOVE ranges [1] nodes [n4, n3]: +n4 -n3, REPAIR: why");
        assertThat(ended(new MapCommand.EndMove(MOVE, MoveEnd.GIVEN_UP)))
                .isEqualTo("ENDED MOVE ranges [1] nodes [n4, n3]: +n4 -n3, REPAIR: why");
        assertThat(ended(new MapCommand.RecoverRange(R1, G1, R2, G2, id(3), AT)))
                .isEqualTo("ENDED RECOVERY ranges [1, 2] nodes [n3]: from what node n3 holds: why");
        assertThat(ended(new MapCommand.EndRecovery(new Recovery(R2, R1, id(3), AT))))
                .isEqualTo("ENDED RECOVERY ranges [2] nodes []: done: why");
    }

    @Test
    void journalNamesAllRanges_whenSplitOrMergeChanges() {
        assertThat(
                        ended(
                                new MapCommand.BeginSplit(
                                        R1,
                                        G1,
                                        Optional.empty(),
                                        Optional.of(id(2)),
                                        SplitReason.OPERATOR,
                                        AT,
                                        2)))
                .isEqualTo("ENDED SPLIT ranges [1] nodes [n2]: OPERATOR: why");
        assertThat(ended(new MapCommand.AbandonSplit(SPLIT, Reason.words("late"))))
                .isEqualTo("ENDED SPLIT ranges [1, 2, 3] nodes []: is given up: why");
        assertThat(ended(new MapCommand.EndSplit(SPLIT)))
                .isEqualTo("ENDED SPLIT ranges [1, 2, 3] nodes []: was given up: why");
        Key splitPoint = Key.copyOf(new byte[] {2});
        assertThat(ended(new MapCommand.CompleteSplit(SPLIT, splitPoint, G2, ids(1, 2, 3))))
                .as("one of two splits")
                .isEqualTo("ENDED SPLIT ranges [1, 2] nodes []: done: why");

        String merged = "ENDED MERGE ranges [1, 2] nodes []: range 1 absorbs range 2, ";
        assertThat(ended(new MapCommand.BeginMerge(MERGE))).isEqualTo(merged + "QUIET: why");
        assertThat(ended(new MapCommand.AbandonMerge(MERGE, Reason.words("late"))))
                .isEqualTo(merged + "is given up: why");
        assertThat(ended(new MapCommand.EndMerge(MERGE))).isEqualTo(merged + "was given up: why");
        assertThat(ended(new MapCommand.JoinRanges(MERGE, G2, ids(1, 2, 3))))
                .isEqualTo(merged + "done: why");
    }

    @Test
    void journalNamesNodes_whenNodeStateOrLeaveChanges() {
        assertThat(ended(new MapCommand.SetNodeState(id(1), NodeState.DRAINING)))
                .isEqualTo("ENDED NODE ranges [] nodes [n1]: n1 DRAINING: why");
        assertThat(
                        ended(
                                new MapCommand.SetNodeState(
                                        id(1), NodeState.DECOMMISSIONING, Optional.of(id(5)))))
                .isEqualTo("ENDED NODE ranges [] nodes [n1, n5]: n1 DECOMMISSIONING: why");
        assertThat(
                        ended(
                                new MapCommand.TakeDisruptionLease(
                                        new DisruptionLease(id(1), AT.plusSeconds(9), ""), AT)))
                .isEqualTo("ENDED NODE ranges [] nodes [n1]: disruption permit: why");
        assertThat(ended(new MapCommand.ReturnDisruptionLease(id(1))))
                .isEqualTo("ENDED NODE ranges [] nodes [n1]: disruption permit returned: why");
    }

    @Test
    void journalHasReasonAlone_whenAccountsOrManagersChange() {
        assertThat(ended(new MapCommand.CreateAccount(ACCOUNT, List.of(KEY))))
                .isEqualTo("ENDED ACCOUNT ranges [] nodes []: why");
        assertThat(ended(new MapCommand.RotateKey(ACCOUNT, 2, KEY)))
                .isEqualTo("ENDED ACCOUNT ranges [] nodes []: why");
        assertThat(ended(new MapCommand.SuspendAccount(ACCOUNT, true)))
                .isEqualTo("ENDED ACCOUNT ranges [] nodes []: why");
        ClusterManager manager = new ClusterManager(new NodeId("m1"), "r:1", "s:1", "");
        assertThat(ended(new MapCommand.SetManagers(1, List.of(manager))))
                .isEqualTo("ENDED MANAGERS ranges [] nodes []: why");
    }

    /** The first ones follow what nodes and files say; the last ones bring their own entries. */
    @Test
    void commandGetsNoEntry_whenItIsNoDecisionOrNotesItself() {
        JournalEntry entry =
                JournalEntry.once(
                        JournalEntry.Kind.ASKED, "X", AT, List.of(), List.of(), Reason.words("x"));
        for (MapCommand command :
                List.of(
                        new MapCommand.FoundCluster(new ClusterId("c1"), ids(1)),
                        new MapCommand.RegisterNode(Maps.node(id(1), "")),
                        new MapCommand.EnsureAccount(ACCOUNT, List.of(KEY), false),
                        new MapCommand.LeaseObjectIds(1),
                        new MapCommand.UpdateRange(R1, G1, G2, ids(1)),
                        new MapCommand.ConfirmRange(R1),
                        new MapCommand.SetPolicy(0, new TreeMap<>(), "me", AT),
                        new MapCommand.NoteDecisions(List.of(entry)),
                        new MapCommand.Noted(new MapCommand.ConfirmRange(R1), entry))) {
            assertThat(
                            JournalNotes.noted(
                                    command, JournalEntry.Kind.ASKED, AT, Reason.words("why")))
                    .isSameAs(command);
        }
    }

    @Test
    void journalNamesRangeAndNode_whenOperatorAsksForLeadership() {
        MapCommand.NoteDecisions note =
                (MapCommand.NoteDecisions)
                        JournalNotes.asked(
                                new Verdict.LeadershipRequest(R1, id(2)),
                                AT,
                                Reason.words("by me"));
        assertThat(note.entries())
                .extracting(JournalNotesTest::text)
                .containsExactly("ASKED LEAD ranges [1] nodes [n2]: by me");
    }
}
