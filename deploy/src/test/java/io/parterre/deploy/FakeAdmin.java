package io.parterre.deploy;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.key.Key;
import io.parterre.proto.admin.AccountKeys;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.ChangeManagersRequest;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.CreateAccountRequest;
import io.parterre.proto.admin.DecommissionNodeRequest;
import io.parterre.proto.admin.DisruptionLease;
import io.parterre.proto.admin.DrainNodeRequest;
import io.parterre.proto.admin.ExplainNodeRequest;
import io.parterre.proto.admin.ExplainNodeResponse;
import io.parterre.proto.admin.ExplainRangeRequest;
import io.parterre.proto.admin.ExplainRangeResponse;
import io.parterre.proto.admin.FinalizeUpgradeRequest;
import io.parterre.proto.admin.FrontEndStatus;
import io.parterre.proto.admin.GetPolicyRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.GetUpgradeRequest;
import io.parterre.proto.admin.HeldLog;
import io.parterre.proto.admin.HeldReplica;
import io.parterre.proto.admin.ListAccountsRequest;
import io.parterre.proto.admin.ListAccountsResponse;
import io.parterre.proto.admin.ListFrontEndsRequest;
import io.parterre.proto.admin.ListFrontEndsResponse;
import io.parterre.proto.admin.ListJournalRequest;
import io.parterre.proto.admin.ListJournalResponse;
import io.parterre.proto.admin.ListManagersRequest;
import io.parterre.proto.admin.ListManagersResponse;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListNodesResponse;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.ListRangesResponse;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.ManagerState;
import io.parterre.proto.admin.ManagerStatus;
import io.parterre.proto.admin.MemberStatus;
import io.parterre.proto.admin.Merge;
import io.parterre.proto.admin.MergeRangesRequest;
import io.parterre.proto.admin.Move;
import io.parterre.proto.admin.MoveLeaderRequest;
import io.parterre.proto.admin.MoveReplicaRequest;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.PolicyStatus;
import io.parterre.proto.admin.PolicyStatusValue;
import io.parterre.proto.admin.RangeLoad;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.admin.RecoverRangeRequest;
import io.parterre.proto.admin.RecoverRangeResponse;
import io.parterre.proto.admin.ReplaceNodeRequest;
import io.parterre.proto.admin.ReturnDisruptionLeaseRequest;
import io.parterre.proto.admin.RotateKeyRequest;
import io.parterre.proto.admin.SetPolicyRequest;
import io.parterre.proto.admin.SplitRangeRequest;
import io.parterre.proto.admin.SuspendAccountRequest;
import io.parterre.proto.admin.TakeDisruptionLeaseRequest;
import io.parterre.proto.admin.UndrainNodeRequest;
import io.parterre.proto.admin.UpgradeMember;
import io.parterre.proto.admin.UpgradeStatus;
import io.parterre.proto.admin.WhatIfRequest;
import io.parterre.proto.admin.WhatIfResponse;
import io.parterre.proto.admin.WhatIfRound;
import io.parterre.proto.journal.JournalEntry;
import io.parterre.proto.journal.JournalKind;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.FeatureLevels;
import io.parterre.proto.manager.ManagerNode;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.NodeState;
import io.parterre.proto.range.Descriptor;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A partition manager to operators, that leads or sends them to another. Remembers what it heard.
 */
final class FakeAdmin extends AdminServiceGrpc.AdminServiceImplBase {
    /** Version of the map that has a change of accounts. */
    volatile long accountsVersion;

    /** Ranges that there are; one of them moves. */
    static final int RANGES = 3;

    private static final JournalEntry MOVE =
            JournalEntry.newBuilder()
                    .setNumber(3)
                    .setKind(JournalKind.DECIDED)
                    .setVerdict("MOVE")
                    .setFirstMillis(1_000)
                    .setLastMillis(1_000)
                    .setCount(1)
                    .addRangeIds(2)
                    .addNodeIds("s3")
                    .addNodeIds("s2")
                    .setWhy("+s3 -s2, REPAIR: node s2 is dead")
                    .build();

    private static final JournalEntry LEFT =
            JournalEntry.newBuilder()
                    .setKind(JournalKind.LEFT)
                    .setVerdict("NO_CUT")
                    .setFirstMillis(2_000)
                    .setLastMillis(62_000)
                    .setCount(60)
                    .addRangeIds(3)
                    .setWhy("3000 operations a second")
                    .build();

    private final Optional<String> leader;
    final List<Object> heard = new CopyOnWriteArrayList<>();

    /** What s1 is, by each call that asks for nodes; then it stays as it was last. */
    final Queue<NodeStatus> firstNode = new ConcurrentLinkedQueue<>();

    /** How often the disruption permit is refused before it is given. */
    final AtomicInteger leaveRefused = new AtomicInteger();

    private volatile NodeStatus lastFirst =
            NodeStatus.newBuilder()
                    .setNode(
                            Node.newBuilder()
                                    .setNodeId("s1")
                                    .setServiceAddress("s1:1")
                                    .setZone("west"))
                    .setLiveness(Liveness.UP)
                    .setReplicas(3)
                    .setLeads(2)
                    .setMergesInProgress(1)
                    .setDiskTotalBytes(1_000)
                    .setDiskUsableBytes(330)
                    .setDiskUsedPercent(67)
                    .build();

    /**
     * A manager.
     *
     * @param leader address of the one that leads; empty: this one does
     */
    FakeAdmin(Optional<String> leader) {
        this.leader = leader;
    }

    private <T> void answer(Object request, T response, StreamObserver<T> responses) {
        heard.add(request);
        if (leader.isPresent()) {
            Metadata trailers = new Metadata();
            trailers.put(ManagerEndpoints.LEADER, leader.get());
            responses.onError(Status.UNAVAILABLE.asRuntimeException(trailers));
            return;
        }
        responses.onNext(response);
        responses.onCompleted();
    }

    private static ChangeResponse effect(String text) {
        return ChangeResponse.newBuilder().addEffects(text).build();
    }

    @Override
    public void explainNode(
            ExplainNodeRequest request, StreamObserver<ExplainNodeResponse> responses) {
        answer(
                request,
                ExplainNodeResponse.newBuilder()
                        .setStatus(lastFirst)
                        .addReasons("it is UP, silent for 0 s, and ACTIVE")
                        .addJournal(MOVE)
                        .build(),
                responses);
    }

    @Override
    public void listJournal(
            ListJournalRequest request, StreamObserver<ListJournalResponse> responses) {
        answer(
                request,
                ListJournalResponse.newBuilder()
                        .addEntries(MOVE)
                        .addEntries(LEFT)
                        .setLeftOut(7)
                        .build(),
                responses);
    }

    @Override
    public void getPolicy(GetPolicyRequest request, StreamObserver<PolicyStatus> responses) {
        answer(
                request,
                PolicyStatus.newBuilder()
                        .setVersion(4)
                        .addValues(
                                PolicyStatusValue.newBuilder()
                                        .setKey("replicas")
                                        .setValue("5")
                                        .setDefaultValue("3")
                                        .setAllowed("1, 3, 5, 7")
                                        .setMeaning("replicas of each range"))
                        .build(),
                responses);
    }

    @Override
    public void setPolicy(SetPolicyRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("replicas: 3 -> 5"), responses);
    }

    @Override
    public void getUpgrade(GetUpgradeRequest request, StreamObserver<UpgradeStatus> responses) {
        answer(
                request,
                UpgradeStatus.newBuilder()
                        .setLevel(1)
                        .setReadableLevel(1)
                        .setNewestLevel(2)
                        .addMembers(
                                UpgradeMember.newBuilder()
                                        .setRole(UpgradeMember.Role.MANAGER)
                                        .setId("m1")
                                        .setRelease("0.2")
                                        .setFeatureLevels(
                                                FeatureLevels.newBuilder()
                                                        .setOldest(1)
                                                        .setNewest(2)))
                        .addMembers(
                                UpgradeMember.newBuilder()
                                        .setRole(UpgradeMember.Role.SERVER)
                                        .setId("s1"))
                        .addHindrances("server s1 does not answer")
                        .addFeaturesToCome("SLICED_ENTRIES")
                        .build(),
                responses);
    }

    @Override
    public void finalizeUpgrade(
            FinalizeUpgradeRequest request, StreamObserver<ChangeResponse> responses) {
        answer(
                request,
                ChangeResponse.newBuilder().addEffects("from level 1 to level 2").build(),
                responses);
    }

    @Override
    public void whatIf(WhatIfRequest request, StreamObserver<WhatIfResponse> responses) {
        answer(
                request,
                WhatIfResponse.newBuilder()
                        .addChanges("replicas: 3 -> 5")
                        .addRounds(WhatIfRound.newBuilder().addDecisions(MOVE).setLeftOut(2))
                        .addRounds(WhatIfRound.getDefaultInstance())
                        .setEnd("nothing more would be done")
                        .build(),
                responses);
    }

    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<ClusterStatus> responses) {
        answer(
                request,
                ClusterStatus.newBuilder()
                        .setClusterId("c1")
                        .setLeader("m2:2")
                        .setManagersUp(2)
                        .addManagersSilent("m3")
                        .setNodesUp(2)
                        .setNodesDead(1)
                        .setRanges(RANGES)
                        .setRangesUnderReplicated(1)
                        .setMergesInProgress(1)
                        .setNodesDraining(1)
                        .setReplicasToGo(3)
                        .setDisruptionLease(
                                DisruptionLease.newBuilder()
                                        .setNodeId("s2")
                                        .setSecondsLeft(40)
                                        .setReason("disk"))
                        .build(),
                responses);
    }

    @Override
    public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> responses) {
        ListNodesResponse.Builder nodes = ListNodesResponse.newBuilder();
        if (request.getRemoved()) {
            nodes.addNodes(
                    NodeStatus.newBuilder()
                            .setNode(
                                    Node.newBuilder().setNodeId("s0").setState(NodeState.REMOVED)));
        }
        NodeStatus next = firstNode.poll();
        lastFirst = next == null ? lastFirst : next;
        answer(
                request,
                nodes.addNodes(lastFirst)
                        .addNodes(
                                NodeStatus.newBuilder()
                                        .setNode(
                                                Node.newBuilder()
                                                        .setNodeId("s2")
                                                        .setServiceAddress("s2:1")
                                                        .setState(NodeState.DECOMMISSIONING))
                                        .setLiveness(Liveness.SUSPECT)
                                        .setSilentMillis(7_100)
                                        .setReplicasToGo(3)
                                        .setBytesToGo(3 << 20)
                                        .setReplacedBy("s1")
                                        .setSecondsToGo(40))
                        .build(),
                responses);
    }

    @Override
    public void listManagers(
            ListManagersRequest request, StreamObserver<ListManagersResponse> responses) {
        answer(
                request,
                ListManagersResponse.newBuilder()
                        .addManagers(manager("m1", ManagerState.IN_GROUP).setLeading(true))
                        .addManagers(manager("m2", ManagerState.FORGETFUL).setSilentMillis(4_200))
                        .addManagers(manager("m4", ManagerState.EXPECTED))
                        .setStep("manager m4 has not come yet")
                        .build(),
                responses);
    }

    private static ManagerStatus.Builder manager(String id, ManagerState state) {
        return ManagerStatus.newBuilder()
                .setManager(
                        ManagerNode.newBuilder()
                                .setNodeId(id)
                                .setRaftAddress(id + ":1")
                                .setServiceAddress(id + ":2"))
                .setState(state);
    }

    @Override
    public void changeManagers(
            ChangeManagersRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("managers change"), responses);
    }

    @Override
    public void listFrontEnds(
            ListFrontEndsRequest request, StreamObserver<ListFrontEndsResponse> responses) {
        answer(
                request,
                ListFrontEndsResponse.newBuilder()
                        .setMapVersion(12)
                        .addFrontEnds(
                                FrontEndStatus.newBuilder()
                                        .setName("f1")
                                        .setAddress("f1:10002")
                                        .setRelease("1.2")
                                        .setMapVersion(9)
                                        .setConfirmedVersion(8)
                                        .setWatchingSeconds(70))
                        .addSilent(
                                FrontEndStatus.newBuilder()
                                        .setName("f2")
                                        .setAddress("f2:10002")
                                        .setConfirmedVersion(7)
                                        .setSilentSeconds(30))
                        .build(),
                responses);
    }

    /** One range an answer. */
    @Override
    public void listRanges(
            ListRangesRequest request, StreamObserver<ListRangesResponse> responses) {
        int index = request.getStart().isEmpty() ? 0 : request.getStart().byteAt(0);
        ListRangesResponse.Builder answer = ListRangesResponse.newBuilder().addRanges(range(index));
        if (index + 1 < RANGES) {
            answer.setNextStart(start(index + 1));
        }
        answer(request, answer.build(), responses);
    }

    private static ByteString start(int index) {
        return index == 0 ? ByteString.EMPTY : ByteString.copyFrom(new byte[] {(byte) index});
    }

    private static RangeStatus range(int index) {
        RangeStatus.Builder range =
                RangeStatus.newBuilder()
                        .setRange(
                                Descriptor.newBuilder()
                                        .setRangeId(index + 1)
                                        .setGeneration(4)
                                        .setStart(start(index))
                                        .setEndExclusive(ByteString.copyFrom(Key.LAST.toBytes())))
                        .setLeader("s1")
                        .addMembers(
                                MemberStatus.newBuilder()
                                        .setNodeId("s1")
                                        .setLiveness(Liveness.UP)
                                        .setAppliedIndex(70))
                        .addMembers(
                                MemberStatus.newBuilder()
                                        .setNodeId("s2")
                                        .setLiveness(Liveness.DEAD)
                                        .setMissing(true));
        if (index == 0) {
            range.setBytes(3 << 20)
                    .setLoad(
                            RangeLoad.newBuilder()
                                    .setReadsPerSecond(10.2)
                                    .setWritesPerSecond(2)
                                    .setRefusedPerSecond(0.5));
        }
        if (index == 1) {
            range.setMove(
                    Move.newBuilder()
                            .setAdd("s3")
                            .setRemove("s2")
                            .setReason("s2 is dead")
                            .setStep("copying")
                            .setAgeSeconds(12));
        }
        if (index == 2) {
            range.setMerge(
                    Merge.newBuilder()
                            .setLeftRangeId(2)
                            .setRightRangeId(3)
                            .setReason("QUIET")
                            .setStep("has to be joined")
                            .setAgeSeconds(5));
        }
        return range.build();
    }

    @Override
    public void explainRange(
            ExplainRangeRequest request, StreamObserver<ExplainRangeResponse> responses) {
        if (request.getRangeId() > RANGES) {
            responses.onError(
                    Status.NOT_FOUND
                            .withDescription("range " + request.getRangeId() + " does not exist")
                            .asRuntimeException());
            return;
        }
        answer(
                request,
                ExplainRangeResponse.newBuilder()
                        .setStatus(range((int) request.getRangeId() - 1))
                        .addReasons("2 of 3 members are healthy")
                        .build(),
                responses);
    }

    @Override
    public void moveLeader(MoveLeaderRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("lead goes to " + request.getNodeId()), responses);
    }

    @Override
    public void mergeRanges(MergeRangesRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("ranges are merged"), responses);
    }

    @Override
    public void splitRange(SplitRangeRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("range is cut"), responses);
    }

    /** As a manager would: a dry run tells what it knows, the run itself what it did. */
    @Override
    public void recoverRange(
            RecoverRangeRequest request, StreamObserver<RecoverRangeResponse> responses) {
        RecoverRangeResponse.Builder answer = RecoverRangeResponse.newBuilder();
        if (request.getDryRun()) {
            answer.setStatus(
                            RangeStatus.newBuilder()
                                    .setRange(
                                            Descriptor.newBuilder()
                                                    .setRangeId(request.getRangeId())
                                                    .setGeneration(4)))
                    .addReplicas(
                            HeldReplica.newBuilder()
                                    .setNodeId("s1")
                                    .setLiveness(Liveness.UP)
                                    .setSilentMillis(100)
                                    .setMember(true)
                                    .setLog(
                                            HeldLog.newBuilder()
                                                    .setGeneration(4)
                                                    .setAppliedTerm(2)
                                                    .setAppliedIndex(10)
                                                    .setLastTerm(3)
                                                    .setLastIndex(12)))
                    .addReplicas(
                            HeldReplica.newBuilder()
                                    .setNodeId("s2")
                                    .setLiveness(Liveness.DEAD)
                                    .setMember(true)
                                    .setUnfit("its node is DEAD"))
                    .addLosses("what s2 alone held is lost")
                    .setSurvivor("s1");
            if (request.getFrom().equals("s2")) {
                answer.setSurvivor("").setRefusal("s2 is of no use");
            }
        }
        answer(request, answer.addEffects("range goes on").build(), responses);
    }

    @Override
    public void moveReplica(MoveReplicaRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("replica moves"), responses);
    }

    @Override
    public void drainNode(DrainNodeRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("drains"), responses);
    }

    @Override
    public void undrainNode(UndrainNodeRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, ChangeResponse.getDefaultInstance(), responses);
    }

    @Override
    public void decommissionNode(
            DecommissionNodeRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("leaves"), responses);
    }

    @Override
    public void replaceNode(ReplaceNodeRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("is replaced"), responses);
    }

    @Override
    public void takeDisruptionLease(
            TakeDisruptionLeaseRequest request, StreamObserver<DisruptionLease> responses) {
        if (leaveRefused.getAndDecrement() > 0) {
            responses.onError(
                    Status.FAILED_PRECONDITION
                            .withDescription("node s2 holds the disruption permit")
                            .asRuntimeException());
            return;
        }
        answer(
                request,
                DisruptionLease.newBuilder()
                        .setNodeId(request.getNodeId())
                        .setSecondsLeft(request.getSeconds())
                        .addEffects("may be down")
                        .build(),
                responses);
    }

    @Override
    public void returnDisruptionLease(
            ReturnDisruptionLeaseRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("permit returned"), responses);
    }

    @Override
    public void createAccount(CreateAccountRequest request, StreamObserver<AccountKeys> responses) {
        answer(
                request,
                AccountKeys.newBuilder()
                        .setName(request.getName())
                        .addKeys(ByteString.copyFromUtf8("made"))
                        .build(),
                responses);
    }

    @Override
    public void listAccounts(
            ListAccountsRequest request, StreamObserver<ListAccountsResponse> responses) {
        answer(
                request,
                ListAccountsResponse.newBuilder()
                        .addAccounts(
                                Account.newBuilder()
                                        .setAccountId(7)
                                        .setName("orders")
                                        .setSuspended(true))
                        .build(),
                responses);
    }

    @Override
    public void rotateKey(RotateKeyRequest request, StreamObserver<AccountKeys> responses) {
        answer(
                request,
                AccountKeys.newBuilder()
                        .setName(request.getName())
                        .addKeys(ByteString.copyFromUtf8("made"))
                        .setMapVersion(accountsVersion)
                        .build(),
                responses);
    }

    @Override
    public void suspendAccount(
            SuspendAccountRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect(request.getSuspended() ? "suspended" : "resumed"), responses);
    }
}
