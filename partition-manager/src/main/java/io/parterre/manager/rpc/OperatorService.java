package io.parterre.manager.rpc;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.parterre.key.Key;
import io.parterre.manager.lead.LeaderAnswer;
import io.parterre.manager.lead.LeaderService;
import io.parterre.manager.lead.Operated;
import io.parterre.manager.lead.Overview;
import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.plan.explain.JournalFilter;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.plan.request.AccountRequests;
import io.parterre.manager.plan.request.ManagerRequests;
import io.parterre.manager.plan.request.MergeRequests;
import io.parterre.manager.plan.request.OperatorRequests;
import io.parterre.manager.plan.request.PolicyRequests;
import io.parterre.manager.plan.request.RangeRecovery;
import io.parterre.manager.plan.request.SplitRequests;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.manager.reason.ReasonText;
import io.parterre.manager.secret.KeyRing;
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
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The service for operators. Never blocks the calling thread, so it may be served on a direct
 * executor. A request whose fields break their types' rules causes an {@link
 * IllegalArgumentException} here, which {@link StrictRequests} turns into a refusal.
 */
public final class OperatorService extends AdminServiceGrpc.AdminServiceImplBase {
    /** Simulated rounds if the request does not give a number. */
    private static final int ROUNDS = 10;

    private static final int ROUNDS_MAX = 100;

    private final LeaderService lead;
    private final KeyRing keyRing;
    private final Supplier<AccountKey> newKey;

    /**
     * Creates the service.
     *
     * @param keyRing decrypts accounts' keys for the operator who had them made
     * @param newKey makes keys that cannot be guessed
     */
    public OperatorService(LeaderService lead, KeyRing keyRing, Supplier<AccountKey> newKey) {
        this.lead = lead;
        this.keyRing = keyRing;
        this.newKey = newKey;
    }

    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<ClusterStatus> responses) {
        inspect(StatusCodec::cluster, responses);
    }

    @Override
    public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> responses) {
        Optional<NodeId> only = optional(request.getNodeId());
        inspect(
                overview ->
                        only.map(node -> StatusCodec.node(overview, node))
                                .orElseGet(() -> StatusCodec.nodes(overview, request.getRemoved())),
                responses);
    }

    @Override
    public void listManagers(
            ListManagersRequest request, StreamObserver<ListManagersResponse> responses) {
        ManagerAnswers.answer(lead.inspectManagers(StatusCodec::managers), responses);
    }

    @Override
    public void changeManagers(
            ChangeManagersRequest request, StreamObserver<ChangeResponse> responses) {
        Optional<ClusterManager> add =
                request.hasAdd()
                        ? Optional.of(MapValueCodec.fromProto(request.getAdd()))
                        : Optional.empty();
        Optional<NodeId> remove = optional(request.getRemove());
        ManagerAnswers.answer(
                lead.operateManagers(view -> managers(view, add, remove), request.getDryRun()),
                OperatorService::effects,
                responses);
    }

    private static Verdict managers(
            ManagersView view, Optional<ClusterManager> add, Optional<NodeId> remove) {
        if (add.isPresent()) {
            return remove.map(old -> ManagerRequests.replace(view, old, add.get()))
                    .orElseGet(() -> ManagerRequests.add(view, add.get()));
        }
        return remove.map(old -> ManagerRequests.remove(view, old))
                .orElseGet(() -> new Verdict.Invalid(ReasonCode.NO_CHANGE_GIVEN.of()));
    }

    @Override
    public void listFrontEnds(
            ListFrontEndsRequest request, StreamObserver<ListFrontEndsResponse> responses) {
        ManagerAnswers.answer(lead.watchers(), StatusCodec::frontEnds, responses);
    }

    @Override
    public void listRanges(
            ListRangesRequest request, StreamObserver<ListRangesResponse> responses) {
        Key start = Key.wrap(request.getStart().toByteArray());
        inspect(
                overview -> OperatorQueries.ranges(overview.view(), start, request.getCountMax()),
                responses);
    }

    @Override
    public void explainRange(
            ExplainRangeRequest request, StreamObserver<ExplainRangeResponse> responses) {
        RangeId rangeId = new RangeId(request.getRangeId());
        find(overview -> OperatorQueries.explanation(overview, rangeId), responses);
    }

    @Override
    public void explainNode(
            ExplainNodeRequest request, StreamObserver<ExplainNodeResponse> responses) {
        NodeId nodeId = new NodeId(request.getNodeId());
        find(overview -> OperatorQueries.explanation(overview, nodeId), responses);
    }

    @Override
    public void listJournal(
            ListJournalRequest request, StreamObserver<ListJournalResponse> responses) {
        JournalFilter filter =
                new JournalFilter(
                        Optional.of(request.getSinceMillis())
                                .filter(millis -> millis != 0)
                                .map(Instant::ofEpochMilli),
                        optional(request.getRangeId()),
                        optional(request.getNodeId()),
                        Set.of());
        inspect(
                overview -> OperatorQueries.journal(overview, filter, request.getCountMax()),
                responses);
    }

    @Override
    public void getPolicy(GetPolicyRequest request, StreamObserver<PolicyStatus> responses) {
        inspect(overview -> PlanCodec.policy(overview.view()), responses);
    }

    @Override
    public void setPolicy(SetPolicyRequest request, StreamObserver<ChangeResponse> responses) {
        Map<String, String> settings = PlanCodec.settings(request.getSettingsList());
        change(
                view -> PolicyRequests.set(view, settings, request.getVersion(), request.getBy()),
                request.getDryRun(),
                responses);
    }

    @Override
    public void whatIf(WhatIfRequest request, StreamObserver<WhatIfResponse> responses) {
        Map<String, String> settings = PlanCodec.settings(request.getSettingsList());
        Set<NodeId> down =
                request.getNodesDownList().stream().map(NodeId::new).collect(Collectors.toSet());
        int wanted = request.getRoundsMax();
        int roundsMax = wanted == 0 ? ROUNDS : Math.min(Math.max(wanted, 1), ROUNDS_MAX);
        ManagerAnswers.answer(
                lead.rehearse(settings, down, roundsMax), PlanCodec::rehearsed, responses);
    }

    @Override
    public void getUpgrade(GetUpgradeRequest request, StreamObserver<UpgradeStatus> responses) {
        ManagerAnswers.answer(lead.inspectUpgrade(UpgradeCodec::toProto), responses);
    }

    @Override
    public void finalizeUpgrade(
            FinalizeUpgradeRequest request, StreamObserver<ChangeResponse> responses) {
        Optional<FeatureLevel> wanted =
                Optional.of(request.getLevel()).filter(level -> level != 0).map(FeatureLevel::new);
        ManagerAnswers.answer(
                lead.finalizeUpgrade(wanted, request.getDryRun()),
                OperatorService::effects,
                responses);
    }

    @Override
    public void moveLeader(MoveLeaderRequest request, StreamObserver<ChangeResponse> responses) {
        RangeId rangeId = new RangeId(request.getRangeId());
        NodeId to = new NodeId(request.getNodeId());
        change(
                view -> OperatorRequests.moveLeader(view, rangeId, to),
                request.getDryRun(),
                responses);
    }

    @Override
    public void moveReplica(MoveReplicaRequest request, StreamObserver<ChangeResponse> responses) {
        RangeId rangeId = new RangeId(request.getRangeId());
        Optional<NodeId> from = optional(request.getFrom());
        Optional<NodeId> to = optional(request.getTo());
        change(
                view -> OperatorRequests.moveReplica(view, rangeId, from, to),
                request.getDryRun(),
                responses);
    }

    private static Optional<NodeId> optional(String nodeId) {
        return Optional.of(nodeId).filter(text -> !text.isEmpty()).map(NodeId::new);
    }

    private static Optional<RangeId> optional(long rangeId) {
        return Optional.of(rangeId).filter(number -> number != 0).map(RangeId::new);
    }

    @Override
    public void splitRange(SplitRangeRequest request, StreamObserver<ChangeResponse> responses) {
        RangeId rangeId = new RangeId(request.getRangeId());
        Optional<Key> splitPoint =
                Optional.of(request.getSplitPoint())
                        .filter(bytes -> !bytes.isEmpty())
                        .map(bytes -> Key.wrap(bytes.toByteArray()));
        Optional<NodeId> leader = optional(request.getLeader());
        change(
                view -> SplitRequests.split(view, rangeId, splitPoint, leader, request.getParts()),
                request.getDryRun(),
                responses);
    }

    @Override
    public void mergeRanges(MergeRangesRequest request, StreamObserver<ChangeResponse> responses) {
        RangeId leftId = new RangeId(request.getLeftRangeId());
        Optional<RangeId> rightId = optional(request.getRightRangeId());
        change(view -> MergeRequests.merge(view, leftId, rightId), request.getDryRun(), responses);
    }

    @Override
    public void recoverRange(
            RecoverRangeRequest request, StreamObserver<RecoverRangeResponse> responses) {
        RangeId rangeId = new RangeId(request.getRangeId());
        Optional<NodeId> from = optional(request.getFrom());
        if (request.getDryRun()) {
            find(overview -> OperatorQueries.survey(overview.view(), rangeId, from), responses);
            return;
        }
        boolean accepted = request.getAcceptDataLoss();
        ManagerAnswers.answer(
                lead.operate(view -> RangeRecovery.recover(view, rangeId, from, accepted), false),
                done ->
                        RecoverRangeResponse.newBuilder()
                                .addAllEffects(ReasonText.all(done.effects()))
                                .build(),
                responses);
    }

    @Override
    public void drainNode(DrainNodeRequest request, StreamObserver<ChangeResponse> responses) {
        NodeId nodeId = new NodeId(request.getNodeId());
        change(
                view -> OperatorRequests.drain(view, nodeId, request.getReplicas()),
                request.getDryRun(),
                responses);
    }

    @Override
    public void undrainNode(UndrainNodeRequest request, StreamObserver<ChangeResponse> responses) {
        NodeId nodeId = new NodeId(request.getNodeId());
        change(view -> OperatorRequests.undrain(view, nodeId), request.getDryRun(), responses);
    }

    @Override
    public void decommissionNode(
            DecommissionNodeRequest request, StreamObserver<ChangeResponse> responses) {
        NodeId nodeId = new NodeId(request.getNodeId());
        change(view -> OperatorRequests.decommission(view, nodeId), request.getDryRun(), responses);
    }

    @Override
    public void replaceNode(ReplaceNodeRequest request, StreamObserver<ChangeResponse> responses) {
        NodeId nodeId = new NodeId(request.getNodeId());
        NodeId replacement = new NodeId(request.getReplacement());
        change(
                view -> OperatorRequests.replace(view, nodeId, replacement),
                request.getDryRun(),
                responses);
    }

    @Override
    public void takeDisruptionLease(
            TakeDisruptionLeaseRequest request, StreamObserver<DisruptionLease> responses) {
        NodeId nodeId = new NodeId(request.getNodeId());
        Duration length = Duration.ofSeconds(Integer.toUnsignedLong(request.getSeconds()));
        String reason = request.getReason();
        ManagerAnswers.answer(
                lead.operate(
                        view -> OperatorRequests.takeDisruptionLease(view, nodeId, length, reason),
                        request.getDryRun()),
                done ->
                        DisruptionLease.newBuilder()
                                .setNodeId(nodeId.value())
                                .setSecondsLeft((int) length.toSeconds())
                                .setReason(reason)
                                .addAllEffects(ReasonText.all(done.effects()))
                                .build(),
                responses);
    }

    @Override
    public void returnDisruptionLease(
            ReturnDisruptionLeaseRequest request, StreamObserver<ChangeResponse> responses) {
        NodeId nodeId = new NodeId(request.getNodeId());
        change(
                view -> OperatorRequests.returnDisruptionLease(view, nodeId),
                request.getDryRun(),
                responses);
    }

    @Override
    public void createAccount(CreateAccountRequest request, StreamObserver<AccountKeys> responses) {
        AccountName name = new AccountName(request.getName());
        AccountKey key =
                request.getKey().isEmpty()
                        ? newKey.get()
                        : AccountKey.of(request.getKey().toByteArray());
        keys(
                view ->
                        lead.unreadable(view.map())
                                .<Verdict>map(Verdict.Refuse::new)
                                .orElseGet(() -> AccountRequests.create(view.map(), name, key)),
                name,
                request.getDryRun(),
                responses);
    }

    @Override
    public void listAccounts(
            ListAccountsRequest request, StreamObserver<ListAccountsResponse> responses) {
        inspect(overview -> StatusCodec.accounts(overview, lead.keyStorage()), responses);
    }

    @Override
    public void rotateKey(RotateKeyRequest request, StreamObserver<AccountKeys> responses) {
        AccountName name = new AccountName(request.getName());
        AccountKey key = newKey.get();
        int number = request.getKeyNumber();
        boolean configured = lead.accountsConfigured();
        // With an encryption key, new account keys are the way out if the old encryption key is
        // lost.
        keys(
                view ->
                        lead.unreadable(view.map())
                                .filter(why -> keyRing.isEmpty())
                                .<Verdict>map(Verdict.Refuse::new)
                                .orElseGet(
                                        () ->
                                                AccountRequests.rotateKey(
                                                        view.map(), name, number, key, configured)),
                name,
                request.getDryRun(),
                responses);
    }

    @Override
    public void suspendAccount(
            SuspendAccountRequest request, StreamObserver<ChangeResponse> responses) {
        AccountName name = new AccountName(request.getName());
        boolean suspended = request.getSuspended();
        boolean configured = lead.accountsConfigured();
        ManagerAnswers.answer(
                lead.operate(
                        view -> AccountRequests.suspend(view.map(), name, suspended, configured),
                        request.getDryRun()),
                done -> effects(done).toBuilder().setMapVersion(done.map().version()).build(),
                responses);
    }

    private <M> void inspect(Function<Overview, M> question, StreamObserver<M> responses) {
        find(overview -> new LeaderAnswer.Given<>(question.apply(overview)), responses);
    }

    private <M> void find(
            Function<Overview, LeaderAnswer<M>> question, StreamObserver<M> responses) {
        ManagerAnswers.answer(lead.inspect(question), responses);
    }

    private void change(
            Function<ClusterView, Verdict> request,
            boolean dryRun,
            StreamObserver<ChangeResponse> responses) {
        ManagerAnswers.answer(lead.operate(request, dryRun), OperatorService::effects, responses);
    }

    private static ChangeResponse effects(Operated done) {
        return ChangeResponse.newBuilder().addAllEffects(ReasonText.all(done.effects())).build();
    }

    private void keys(
            Function<ClusterView, Verdict> request,
            AccountName name,
            boolean dryRun,
            StreamObserver<AccountKeys> responses) {
        ManagerAnswers.answer(
                lead.operate(request, dryRun),
                done -> {
                    AccountKeys.Builder keys = AccountKeys.newBuilder().setName(name.value());
                    if (!dryRun) {
                        done.map().account(name).map(ClusterAccount::keys).stream()
                                .flatMap(all -> all.stream())
                                .map(key -> keyRing.readable(name, key))
                                .map(key -> key.map(AccountKey::toBytes).orElse(new byte[0]))
                                .forEach(key -> keys.addKeys(ByteString.copyFrom(key)));
                        keys.setMapVersion(done.map().version());
                    }
                    return keys.build();
                },
                responses);
    }
}
