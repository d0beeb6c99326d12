package io.parterre.server;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.manager.ChangeMembers;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.HostReplica;
import io.parterre.proto.manager.JoinReplica;
import io.parterre.proto.manager.LeadCertainty;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.MergeRanges;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.QuarantineReplica;
import io.parterre.proto.manager.RebuildStore;
import io.parterre.proto.manager.RecoverRange;
import io.parterre.proto.manager.RemoveReplica;
import io.parterre.proto.manager.SplitRange;
import io.parterre.proto.manager.ThawRange;
import io.parterre.proto.manager.TransferLead;
import io.parterre.proto.range.Descriptor;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * A manager of one range that does as the test says: founds it once on its first members, and then
 * gives every node that reports the orders that stand. Safe for any thread.
 */
final class OrderingManager extends ManagerServiceGrpc.ManagerServiceImplBase {
    final NodeReports reports = new NodeReports();
    private final RangeDescriptor founded;
    private final Set<String> foundedOn = ConcurrentHashMap.newKeySet();
    private final Map<String, List<Order>> orders = new ConcurrentHashMap<>();

    /** To every node, also to one that reports for the first time later. */
    private final List<Function<String, Order>> ordersToAll = new CopyOnWriteArrayList<>();

    private final Addresses addresses;

    private final Set<Long> givenUp = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> regressed = new ConcurrentHashMap<>();
    private final Map<String, Duration> clocksAhead = new ConcurrentHashMap<>();
    private volatile boolean judgesClocks;
    private volatile String rebuildRefusal = "";
    private volatile boolean deposed;

    /** Where one node finds the Raft server of another. */
    @FunctionalInterface
    interface Addresses {
        String of(String from, String to, String reported);
    }

    OrderingManager(RangeDescriptor founded, Addresses addresses) {
        this.founded = founded;
        this.addresses = addresses;
    }

    @Override
    public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> response) {
        String node = request.getNode().getNodeId();
        reports.add(request);
        HeartbeatResponse.Builder answer =
                HeartbeatResponse.newBuilder()
                        .setFeatureLevel(FeatureLevel.NEWEST.value())
                        .setClusterId("cluster-1");
        found(node, request).ifPresent(answer::addOrders);
        answer.setNoLeave(rebuildRefusal);
        clock(node, request).ifPresent(ahead -> told(answer, ahead));
        answer.addAllGivenUpRanges(deposed ? Set.of() : givenUp);
        if (!deposed) {
            Optional.ofNullable(regressed.get(node)).ifPresent(answer::addRegressedRanges);
        }
        answer.setCertainty(
                request.getLeadAskedFor() && !deposed
                        ? LeadCertainty.CONFIRMED
                        : LeadCertainty.NOT_ASKED_FOR);
        answer.addAllOrders(orders.getOrDefault(node, List.of()));
        ordersToAll.forEach(order -> answer.addOrders(order.apply(node)));
        response.onNext(answer.build());
        response.onCompleted();
    }

    private static void told(HeartbeatResponse.Builder answer, Duration ahead) {
        answer.setClockJudged(true)
                .setClockAheadMillis(ahead.toMillis())
                .setClockAgrees(ahead.isZero());
    }

    /** How far ahead the node is told that its clock is; empty: it is told nothing. */
    private Optional<Duration> clock(String node, HeartbeatRequest request) {
        if (!judgesClocks) {
            return Optional.ofNullable(clocksAhead.get(node));
        }
        long ahead = request.getClockMillis() - System.currentTimeMillis();
        return Optional.of(
                ahead > 60_000 ? Duration.ofMinutes((ahead + 30_000) / 60_000) : Duration.ZERO);
    }

    /** From now on it tells nodes how their clocks compare with the machine's. */
    void judgesClocks() {
        judgesClocks = true;
    }

    /** From now on it tells a node that its clock is so far ahead. */
    void tellsClockAhead(String node, Duration ahead) {
        judgesClocks = false;
        clocksAhead.put(node, ahead);
    }

    private Optional<Order> found(String node, HeartbeatRequest request) {
        List<String> names = founded.members().stream().map(id -> id.value()).toList();
        if (request.getReplicasCount() > 0) {
            foundedOn.add(node);
        }
        boolean due =
                names.contains(node)
                        && !foundedOn.containsAll(new HashSet<>(names))
                        && reports.nodes().containsAll(names);
        return due
                ? Optional.of(
                        Order.newBuilder()
                                .setHostReplica(
                                        HostReplica.newBuilder()
                                                .setRange(DescriptorCodec.toProto(founded))
                                                .addAllMembers(nodes(names, node)))
                                .build())
                : Optional.empty();
    }

    private List<Node> nodes(List<String> names, String receiver) {
        return reachable(names.stream().map(reports::node).toList(), receiver);
    }

    /** By the addresses at which the receiver reaches them. */
    private List<Node> reachable(List<Node> nodes, String receiver) {
        return nodes.stream()
                .map(
                        node ->
                                node.toBuilder()
                                        .setRaftAddress(
                                                addresses.of(
                                                        receiver,
                                                        node.getNodeId(),
                                                        node.getRaftAddress()))
                                        .build())
                .toList();
    }

    /** Another range has taken the place of this one. */
    void givesUp(RangeId rangeId) {
        givenUp.add(rangeId.value());
        reports.forgetLeaders();
    }

    /** The node's replica lacks entries that it had acknowledged. */
    void regressed(String node, RangeId rangeId) {
        regressed.put(node, rangeId.value());
    }

    /** Another manager leads, and this one has not heard so: it knows nothing that came since. */
    void deposed(boolean is) {
        deposed = is;
    }

    /** To all: the one that leads takes it up. */
    void split(RangeId rangeId, long generation, ByteString splitPoint, RangeId childId) {
        split(rangeId, generation, splitPoint, childId, "");
    }

    void split(
            RangeId rangeId,
            long generation,
            ByteString splitPoint,
            RangeId childId,
            String childLeader) {
        toAll(
                Order.newBuilder()
                        .setSplitRange(
                                SplitRange.newBuilder()
                                        .setRangeId(rangeId.value())
                                        .setGeneration(generation)
                                        .setSplitPoint(splitPoint)
                                        .setChildRangeId(childId.value())
                                        .setChildLeader(childLeader))
                        .build());
    }

    /** Where the leader chooses, in one more than there are children. */
    void split(RangeId rangeId, long generation, List<RangeId> childIds) {
        toAll(
                Order.newBuilder()
                        .setSplitRange(
                                SplitRange.newBuilder()
                                        .setRangeId(rangeId.value())
                                        .setGeneration(generation)
                                        .setChildRangeId(childIds.get(0).value())
                                        .addAllFurtherChildRangeIds(
                                                childIds.stream()
                                                        .skip(1)
                                                        .map(RangeId::value)
                                                        .toList()))
                        .build());
    }

    /** To all: the one that leads takes it up. */
    void merge(RangeId leftId, long leftGeneration, RangeId rightId, long rightGeneration) {
        for (String node : reports.nodes()) {
            order(
                    node,
                    Order.newBuilder()
                            .setMergeRanges(
                                    MergeRanges.newBuilder()
                                            .setLeftRangeId(leftId.value())
                                            .setLeftGeneration(leftGeneration)
                                            .setRightRangeId(rightId.value())
                                            .setRightGeneration(rightGeneration)));
        }
    }

    void thaw(RangeId rangeId, long generation) {
        for (String node : reports.nodes()) {
            order(
                    node,
                    Order.newBuilder()
                            .setThawRange(
                                    ThawRange.newBuilder()
                                            .setRangeId(rangeId.value())
                                            .setGeneration(generation)));
        }
    }

    void remove(String node, RangeId rangeId, long generation) {
        order(
                node,
                Order.newBuilder()
                        .setRemoveReplica(
                                RemoveReplica.newBuilder()
                                        .setRangeId(rangeId.value())
                                        .setGeneration(generation)));
    }

    void join(String node, RangeDescriptor range) {
        order(
                node,
                Order.newBuilder()
                        .setJoinReplica(
                                JoinReplica.newBuilder()
                                        .setRange(DescriptorCodec.toProto(range))
                                        .addAllMembers(
                                                nodes(
                                                        range.members().stream()
                                                                .map(NodeId::value)
                                                                .toList(),
                                                        node))));
    }

    void transferLeadership(RangeId rangeId, long generation, String target) {
        toAll(
                Order.newBuilder()
                        .setTransferLead(
                                TransferLead.newBuilder()
                                        .setRangeId(rangeId.value())
                                        .setGeneration(generation)
                                        .setNodeId(target))
                        .build());
    }

    /** Leave to give up the data folder that a node has told of. */
    void rebuildStore(String node) {
        order(
                node,
                Order.newBuilder()
                        .setRebuildStore(
                                RebuildStore.newBuilder()
                                        .setIncarnation(reports.incarnation(node))));
    }

    /** Why nodes get no such leave. */
    void rebuildRefusal(String why) {
        rebuildRefusal = why;
    }

    private void order(String node, Order.Builder order) {
        orders.computeIfAbsent(node, name -> new CopyOnWriteArrayList<>()).add(order.build());
    }

    private void toAll(Order order) {
        ordersToAll.add(node -> order);
    }

    void withdrawOrders() {
        orders.clear();
        ordersToAll.clear();
    }

    void join(String node, long generation, List<String> members) {
        order(
                node,
                Order.newBuilder()
                        .setJoinReplica(
                                JoinReplica.newBuilder()
                                        .setRange(
                                                Descriptor.newBuilder(
                                                                DescriptorCodec.toProto(founded))
                                                        .setGeneration(generation)
                                                        .clearMembers()
                                                        .addAllMembers(members))
                                        .addAllMembers(nodes(members, node))));
    }

    /** To all: the one that leads takes it up. */
    void change(long generation, List<String> members) {
        List<Node> changed = members.stream().map(reports::node).toList();
        ordersToAll.add(
                node ->
                        Order.newBuilder()
                                .setChangeMembers(
                                        ChangeMembers.newBuilder()
                                                .setRangeId(founded.rangeId().value())
                                                .setGeneration(generation)
                                                .addAllMembers(reachable(changed, node)))
                                .build());
    }

    void transferLeadership(long generation, String target) {
        transferLeadership(founded.rangeId(), generation, target);
    }

    /** Has a node take its replica out of its group, since it lacks what it had acknowledged. */
    void quarantine(String node, long generation, long acknowledgedIndex) {
        order(
                node,
                Order.newBuilder()
                        .setQuarantineReplica(
                                QuarantineReplica.newBuilder()
                                        .setRangeId(founded.rangeId().value())
                                        .setGeneration(generation)
                                        .setAcknowledgedIndex(acknowledgedIndex)));
    }

    /**
     * Has a node take its replica out of its group, since its rows are others than most members'.
     */
    void quarantineDiffering(String node, long generation, long differsAt) {
        order(
                node,
                Order.newBuilder()
                        .setQuarantineReplica(
                                QuarantineReplica.newBuilder()
                                        .setRangeId(founded.rangeId().value())
                                        .setGeneration(generation)
                                        .setDiffersAt(differsAt)));
    }

    /** Has a node go on alone with what it holds of a range, as another one. */
    void recover(String node, RangeId lostId, RangeDescriptor successor) {
        order(
                node,
                Order.newBuilder()
                        .setRecoverRange(
                                RecoverRange.newBuilder()
                                        .setLostRangeId(lostId.value())
                                        .setRange(DescriptorCodec.toProto(successor))
                                        .addAllMembers(nodes(List.of(node), node))));
    }

    /** Has a node take in another as a member of a range that it leads alone. */
    void change(String leader, RangeDescriptor range, List<String> members) {
        order(
                leader,
                Order.newBuilder()
                        .setChangeMembers(
                                ChangeMembers.newBuilder()
                                        .setRangeId(range.rangeId().value())
                                        .setGeneration(range.generation().value())
                                        .addAllMembers(nodes(members, leader))));
    }

    void remove(String node, long generation) {
        order(
                node,
                Order.newBuilder()
                        .setRemoveReplica(
                                RemoveReplica.newBuilder()
                                        .setRangeId(founded.rangeId().value())
                                        .setGeneration(generation)));
    }
}
