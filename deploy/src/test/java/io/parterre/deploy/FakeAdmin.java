package io.parterre.deploy;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.endpoint.ManagerEndpoints;
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
import io.parterre.proto.admin.GetPolicyRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.GetUpgradeRequest;
import io.parterre.proto.admin.KeyStorage;
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
import io.parterre.proto.admin.MergeRangesRequest;
import io.parterre.proto.admin.MoveLeaderRequest;
import io.parterre.proto.admin.MoveReplicaRequest;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.PolicyStatus;
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
import io.parterre.proto.admin.UpgradeStatus;
import io.parterre.proto.admin.WhatIfRequest;
import io.parterre.proto.admin.WhatIfResponse;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.NodeState;
import java.util.ArrayList;
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

    /** Ids of the keys that the account's keys are encrypted with, answer by answer. */
    List<List<String>> accountKeyIds = new ArrayList<>(List.of(List.of("")));

    String encryptionKeyId = "";
    String encryptionHindrance = "";

    /** Ranges that there are; one of them moves. */
    static final int RANGES = 3;

    private final Optional<String> leader;
    final List<Object> heard = new CopyOnWriteArrayList<>();

    /** What s1 is, by each call that asks for nodes; then it stays as it was last. */
    final Queue<NodeStatus> firstNode = new ConcurrentLinkedQueue<>();

    /** How often the disruption permit is refused before it is given. */
    final AtomicInteger leaveRefused = new AtomicInteger();

    private volatile NodeStatus lastFirst = AdminSamples.FIRST_NODE;

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
                        .addJournal(AdminSamples.MOVE)
                        .build(),
                responses);
    }

    @Override
    public void listJournal(
            ListJournalRequest request, StreamObserver<ListJournalResponse> responses) {
        answer(request, AdminSamples.JOURNAL, responses);
    }

    @Override
    public void getPolicy(GetPolicyRequest request, StreamObserver<PolicyStatus> responses) {
        answer(request, AdminSamples.POLICY, responses);
    }

    @Override
    public void setPolicy(SetPolicyRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("replicas: 3 -> 5"), responses);
    }

    @Override
    public void getUpgrade(GetUpgradeRequest request, StreamObserver<UpgradeStatus> responses) {
        answer(request, AdminSamples.UPGRADE, responses);
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
        answer(request, AdminSamples.WHAT_IF, responses);
    }

    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<ClusterStatus> responses) {
        answer(request, AdminSamples.STATUS, responses);
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
                nodes.addNodes(lastFirst).addNodes(AdminSamples.SECOND_NODE).build(),
                responses);
    }

    @Override
    public void listManagers(
            ListManagersRequest request, StreamObserver<ListManagersResponse> responses) {
        answer(request, AdminSamples.MANAGERS, responses);
    }

    @Override
    public void changeManagers(
            ChangeManagersRequest request, StreamObserver<ChangeResponse> responses) {
        answer(request, effect("managers change"), responses);
    }

    @Override
    public void listFrontEnds(
            ListFrontEndsRequest request, StreamObserver<ListFrontEndsResponse> responses) {
        answer(request, AdminSamples.FRONT_ENDS, responses);
    }

    /** One range an answer. */
    @Override
    public void listRanges(
            ListRangesRequest request, StreamObserver<ListRangesResponse> responses) {
        int index = request.getStart().isEmpty() ? 0 : request.getStart().byteAt(0);
        ListRangesResponse.Builder answer =
                ListRangesResponse.newBuilder().addRanges(AdminSamples.range(index));
        if (index + 1 < RANGES) {
            answer.setNextStart(AdminSamples.start(index + 1));
        }
        answer(request, answer.build(), responses);
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
                        .setStatus(AdminSamples.range((int) request.getRangeId() - 1))
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
        answer(request, effect("range is split"), responses);
    }

    /** As a manager would: a dry run tells what it knows, the run itself what it did. */
    @Override
    public void recoverRange(
            RecoverRangeRequest request, StreamObserver<RecoverRangeResponse> responses) {
        RecoverRangeResponse.Builder answer = RecoverRangeResponse.newBuilder();
        if (request.getDryRun()) {
            answer.mergeFrom(AdminSamples.survey(request.getRangeId()));
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
                        .addKeyStorage(
                                KeyStorage.newBuilder()
                                        .addAllEncryptionKeyIds(
                                                accountKeyIds.size() > 1
                                                        ? accountKeyIds.remove(0)
                                                        : accountKeyIds.get(0)))
                        .setEncryptionKeyId(encryptionKeyId)
                        .setEncryptionHindrance(encryptionHindrance)
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
