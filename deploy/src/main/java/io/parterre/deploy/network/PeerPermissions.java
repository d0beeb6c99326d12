package io.parterre.deploy.network;

import static io.parterre.tls.PeerRole.ADMIN;
import static io.parterre.tls.PeerRole.FRONT_END;
import static io.parterre.tls.PeerRole.MANAGER;
import static io.parterre.tls.PeerRole.OPERATOR;
import static io.parterre.tls.PeerRole.SERVER;
import static io.parterre.tls.PeerRole.VIEWER;

import io.grpc.MethodDescriptor;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.peer.ManagerPeerServiceGrpc;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.tls.PeerIdentity;
import io.parterre.tls.PeerRole;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which role may call which method. A method that is not listed may not be called. Pure;
 * thread-safe.
 */
final class PeerPermissions {
    private static final Set<PeerRole> VIEWERS = Set.of(VIEWER, OPERATOR, ADMIN);
    private static final Set<PeerRole> OPERATORS = Set.of(OPERATOR, ADMIN);
    private static final Set<PeerRole> ADMINS = Set.of(ADMIN);

    private static final Map<String, Set<PeerRole>> ALLOWED = new HashMap<>();

    static {
        allow(Set.of(SERVER), ManagerServiceGrpc.getHeartbeatMethod());
        allow(
                Set.of(FRONT_END),
                ManagerServiceGrpc.getWatchMethod(),
                ManagerServiceGrpc.getConfirmMapMethod(),
                RangeServiceGrpc.getExchangeMethod());
        // A restore leases ids for the tables that it creates.
        allow(Set.of(FRONT_END, ADMIN), ManagerServiceGrpc.getLeaseObjectIdsMethod());
        allow(Set.of(MANAGER), ManagerPeerServiceGrpc.getIntroduceMethod());
        allow(
                Set.of(SERVER),
                NodeServiceGrpc.getCopyReplicaMethod(),
                NodeServiceGrpc.getAwaitAppliedMethod(),
                NodeServiceGrpc.getCompareReplicaMethod());
        allow(
                OPERATORS,
                NodeServiceGrpc.getFlushMethod(),
                NodeServiceGrpc.getTakeSnapshotMethod(),
                NodeServiceGrpc.getRecoverEntryMethod());
        allow(
                VIEWERS,
                AdminServiceGrpc.getGetStatusMethod(),
                AdminServiceGrpc.getListNodesMethod(),
                AdminServiceGrpc.getListRangesMethod(),
                AdminServiceGrpc.getListManagersMethod(),
                AdminServiceGrpc.getListFrontEndsMethod(),
                AdminServiceGrpc.getListAccountsMethod(),
                AdminServiceGrpc.getListJournalMethod(),
                AdminServiceGrpc.getExplainRangeMethod(),
                AdminServiceGrpc.getExplainNodeMethod(),
                AdminServiceGrpc.getGetPolicyMethod(),
                AdminServiceGrpc.getGetUpgradeMethod(),
                AdminServiceGrpc.getWhatIfMethod());
        allow(
                OPERATORS,
                AdminServiceGrpc.getMoveLeaderMethod(),
                AdminServiceGrpc.getMoveReplicaMethod(),
                AdminServiceGrpc.getSplitRangeMethod(),
                AdminServiceGrpc.getMergeRangesMethod(),
                AdminServiceGrpc.getDrainNodeMethod(),
                AdminServiceGrpc.getUndrainNodeMethod(),
                AdminServiceGrpc.getDecommissionNodeMethod(),
                AdminServiceGrpc.getReplaceNodeMethod(),
                AdminServiceGrpc.getTakeDisruptionLeaseMethod(),
                AdminServiceGrpc.getReturnDisruptionLeaseMethod(),
                AdminServiceGrpc.getSetPolicyMethod(),
                // With data loss only admins may call it: PeerGuard.
                AdminServiceGrpc.getRecoverRangeMethod());
        allow(
                ADMINS,
                NodeServiceGrpc.getReadRowsMethod(),
                NodeServiceGrpc.getRestoreRowsMethod(),
                NodeServiceGrpc.getRecordChangesMethod(),
                NodeServiceGrpc.getReadChangesMethod(),
                AdminServiceGrpc.getCreateAccountMethod(),
                AdminServiceGrpc.getRotateKeyMethod(),
                AdminServiceGrpc.getSuspendAccountMethod(),
                AdminServiceGrpc.getChangeManagersMethod(),
                AdminServiceGrpc.getFinalizeUpgradeMethod());
    }

    private PeerPermissions() {}

    private static void allow(Set<PeerRole> roles, MethodDescriptor<?, ?>... methods) {
        for (MethodDescriptor<?, ?> method : methods) {
            ALLOWED.put(method.getFullMethodName(), roles);
        }
    }

    /** Returns which roles may call the method; empty if none may. */
    static Set<PeerRole> allowed(String fullMethodName) {
        return ALLOWED.getOrDefault(fullMethodName, Set.of());
    }

    /** Returns whether only operators' commands call the method. */
    static boolean isOperators(String fullMethodName) {
        return allowed(fullMethodName).contains(ADMIN)
                && VIEWERS.containsAll(allowed(fullMethodName));
    }

    /** Returns why the peer may not call the method; empty if it may. */
    static Optional<String> refusal(String fullMethodName, PeerIdentity peer) {
        return refusal(fullMethodName, allowed(fullMethodName), peer);
    }

    /** Returns why the peer may not make a request that only admins may make; empty if it may. */
    static Optional<String> refusalOfDataLoss(String fullMethodName, PeerIdentity peer) {
        return refusal(fullMethodName + " with data loss", ADMINS, peer);
    }

    private static Optional<String> refusal(String what, Set<PeerRole> allowed, PeerIdentity peer) {
        return peer.hasRole(allowed)
                ? Optional.empty()
                : Optional.of(
                        peer + " may not call " + what + " (expected: " + words(allowed) + ")");
    }

    private static String words(Set<PeerRole> roles) {
        return roles.isEmpty()
                ? "nobody"
                : Arrays.stream(PeerRole.values())
                        .filter(roles::contains)
                        .map(PeerRole::word)
                        .collect(Collectors.joining(" or "));
    }
}
