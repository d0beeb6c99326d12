package io.parterre.manager;

import io.grpc.StatusRuntimeException;
import io.parterre.manager.map.LevelsCodec;
import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.release.FeatureLevels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Nodes that carry out orders at once, for one range, as members of one group that always agrees.
 * For one thread.
 */
final class FakeNodes {
    private static final class FakeNode {
        final String zone;
        boolean up = true;
        boolean holds;
        boolean joining;
        long generation;

        FakeNode(String zone) {
            this.zone = zone;
        }
    }

    private final TreeMap<String, FakeNode> nodes = new TreeMap<>();
    private final List<String> carriedOut = new ArrayList<>();
    private Set<String> members = new TreeSet<>();
    private long generation;
    private Optional<String> leader = Optional.empty();
    private String clusterId = "";
    private Predicate<Order> ignored = order -> false;
    private boolean newest;

    FakeNodes(String... names) {
        for (String name : names) {
            add(name, "");
        }
    }

    void add(String name, String zone) {
        nodes.put(name, new FakeNode(zone));
    }

    /** From here on they tell that they read the newest feature level. */
    void readNewestLevel() {
        newest = true;
    }

    void crash(String name) {
        nodes.get(name).up = false;
        elect();
    }

    void restart(String name) {
        nodes.get(name).up = true;
    }

    /** Orders that nobody carries out from here on. */
    void ignore(Predicate<Order> orders) {
        ignored = orders;
    }

    Optional<String> leader() {
        return leader;
    }

    Set<String> members() {
        return members;
    }

    Set<String> holders() {
        Set<String> holders = new TreeSet<>();
        nodes.forEach(
                (name, node) -> {
                    if (node.holds) {
                        holders.add(name);
                    }
                });
        return holders;
    }

    /** What was done, as "kind node". */
    List<String> carriedOut() {
        return carriedOut;
    }

    private void elect() {
        boolean gone =
                leader.filter(name -> members.contains(name) && nodes.get(name).up).isEmpty();
        if (gone) {
            leader =
                    members.stream()
                            .filter(name -> nodes.get(name).up && nodes.get(name).holds)
                            .findFirst();
        }
    }

    /** One report of each node that is up; false: this manager does not lead. */
    boolean report(ManagerUnderTest manager) {
        for (String name : List.copyOf(nodes.keySet())) {
            if (!nodes.get(name).up) {
                continue;
            }
            HeartbeatResponse answer;
            try {
                answer = manager.heartbeat(request(name));
            } catch (StatusRuntimeException e) {
                return false;
            }
            clusterId = answer.getClusterId();
            for (Order order : answer.getOrdersList()) {
                if (!ignored.test(order)) {
                    carryOut(name, order);
                }
            }
        }
        return true;
    }

    /** What a node reports. */
    HeartbeatRequest request(String name) {
        FakeNode node = nodes.get(name);
        HeartbeatRequest.Builder request =
                HeartbeatRequest.newBuilder()
                        .setNode(
                                Node.newBuilder()
                                        .setNodeId(name)
                                        .setServiceAddress(name + ":1")
                                        .setRaftAddress(name + ":2")
                                        .setZone(node.zone)
                                        .setIncarnation("i"))
                        .setClusterId(clusterId);
        if (newest) {
            request.setFeatureLevels(LevelsCodec.toProto(FeatureLevels.OF_RELEASE));
        }
        if (node.holds) {
            boolean leads = leader.filter(name::equals).isPresent();
            request.addReplicas(
                    ReplicaReport.newBuilder()
                            .setRangeId(1)
                            .setGeneration(node.generation)
                            .setLeading(leads)
                            .addAllMembers(members)
                            .addAllFollowers(leads ? followers(name) : List.of())
                            .setState(
                                    node.joining
                                            ? ReplicaState.JOINING
                                            : ReplicaState.REPLICA_STATE_UNSPECIFIED));
        }
        return request.build();
    }

    /** The others, all level and heard. */
    private List<FollowerReport> followers(String self) {
        return members.stream()
                .filter(member -> !member.equals(self))
                .map(member -> FollowerReport.newBuilder().setNodeId(member).build())
                .toList();
    }

    private void carryOut(String name, Order order) {
        FakeNode node = nodes.get(name);
        carriedOut.add(order.getOrderCase() + " " + name);
        switch (order.getOrderCase()) {
            case HOST_REPLICA -> {
                node.holds = true;
                node.generation = order.getHostReplica().getRange().getGeneration();
                generation = node.generation;
                members = new TreeSet<>(order.getHostReplica().getRange().getMembersList());
                elect();
            }
            case JOIN_REPLICA -> {
                node.holds = true;
                node.joining = true;
                node.generation = order.getJoinReplica().getRange().getGeneration();
            }
            case CHANGE_MEMBERS -> {
                if (order.getChangeMembers().getGeneration() != generation) {
                    return;
                }
                members = new TreeSet<>();
                for (Node member : order.getChangeMembers().getMembersList()) {
                    members.add(member.getNodeId());
                }
                generation++;
                for (String member : members) {
                    FakeNode one = nodes.get(member);
                    if (one.up && one.holds) {
                        one.joining = false;
                        one.generation = generation;
                    }
                }
            }
            case TRANSFER_LEAD -> leader = Optional.of(order.getTransferLead().getNodeId());
            case REMOVE_REPLICA -> node.holds = false;
            case SPLIT_RANGE, MERGE_RANGES, THAW_RANGE ->
                    throw new IllegalStateException("no range is split or merged here");
            case REBUILD_STORE -> throw new IllegalStateException("no store is damaged here");
            case ORDER_NOT_SET -> throw new IllegalStateException("order: " + order);
        }
    }
}
