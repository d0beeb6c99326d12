package io.parterre.manager;

import static io.parterre.manager.ManagerUnderTest.report;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.file.DurableFiles;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.proto.admin.ChangeManagersRequest;
import io.parterre.proto.admin.ListManagersRequest;
import io.parterre.proto.admin.ListManagersResponse;
import io.parterre.proto.manager.ManagerNode;
import io.parterre.range.NodeId;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/** Managers on real Ratis that come, go, and lose their folders. */
final class ManagerNetwork implements AutoCloseable {
    /** Longer than an election takes. */
    static final Duration ELECTION = ManagerUnderTest.ELECTION_TIMEOUT_MAX.multipliedBy(2);

    private static final int SNAPSHOT_ENTRIES = 20;

    private final Path folder;
    private final TreeMap<Integer, ManagerMember> members = new TreeMap<>();
    private final ConcurrentSkipListMap<Integer, ManagerUnderTest> running =
            new ConcurrentSkipListMap<>();

    ManagerNetwork(Path folder) {
        this.folder = folder;
    }

    /** Its addresses; made when first asked for. */
    ManagerMember member(int n) throws IOException {
        if (!members.containsKey(n)) {
            move(n);
        }
        return members.get(n);
    }

    /** Gives it other addresses. */
    void move(int n) throws IOException {
        int port = TestPorts.next();
        members.put(
                n,
                new ManagerMember(
                        new NodeId("m" + n), "127.0.0.1:" + port, "service-of-m" + n + "-" + port));
    }

    Path folder(int n) {
        return folder.resolve("m" + n);
    }

    /** Starts one that was told of these, itself among them. */
    ManagerUnderTest start(int n, int... seeds) throws IOException {
        return start(n, Set.of(), seeds);
    }

    ManagerUnderTest start(int n, Set<Integer> without, int... seeds) throws IOException {
        List<ManagerMember> list = new ArrayList<>();
        for (int seed : seeds) {
            list.add(member(seed));
        }
        ManagerUnderTest started =
                ManagerUnderTest.start(
                        TestConfig.of(
                                member(n),
                                list,
                                folder(n),
                                List.of(),
                                1,
                                SNAPSHOT_ENTRIES,
                                Policy.DEFAULT.withReplicas(1),
                                without.stream()
                                        .map(each -> new NodeId("m" + each))
                                        .collect(Collectors.toSet())));
        running.put(n, started);
        return started;
    }

    void startAll(int... all) throws IOException {
        for (int n : all) {
            start(n, all);
        }
    }

    void stop(int... some) {
        ManagerUnderTest.closeAll(
                Arrays.stream(some).mapToObj(running::remove).filter(Objects::nonNull).toList());
    }

    /** Empties the folder of one that is stopped. */
    void empty(int n) throws IOException {
        DurableFiles.removeFolder(folder(n));
    }

    boolean hasSnapshot(int n) throws IOException {
        return DurableFiles.filesBelow(folder(n)).stream()
                .anyMatch(file -> file.getFileName().toString().matches("snapshot\\.\\d+_\\d+"));
    }

    ManagerUnderTest get(int n) {
        return running.get(n);
    }

    Collection<ManagerUnderTest> all() {
        return running.values();
    }

    /** Number of the one that leads. */
    Optional<Integer> leader() {
        return running.entrySet().stream()
                .filter(each -> managers(each.getValue()).isPresent())
                .map(each -> each.getKey())
                .findFirst();
    }

    ManagerUnderTest awaitLeader() {
        return running.get(
                await().atMost(Duration.ofSeconds(60))
                        .pollDelay(Duration.ZERO)
                        .until(this::leader, Optional::isPresent)
                        .orElseThrow());
    }

    /** Id of the cluster, which is founded unless it is there. */
    String found() {
        return awaitLeader().heartbeat(report("n1", "")).getClusterId();
    }

    /** Changes of the map, enough for snapshots. */
    void write(int count) {
        for (int i = 0; i < count; i++) {
            awaitLeader().lease(1);
        }
    }

    /** What this manager lacks; empty: nothing. */
    String missing(int n) {
        return get(n).manager.missing().orElse("");
    }

    /** What the leader says of the managers. */
    Optional<ListManagersResponse> managers() {
        return running.values().stream()
                .map(ManagerNetwork::managers)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<ListManagersResponse> managers(ManagerUnderTest manager) {
        try {
            return Optional.of(
                    manager.admin().listManagers(ListManagersRequest.getDefaultInstance()));
        } catch (StatusRuntimeException elsewhere) {
            return Optional.empty();
        }
    }

    /** Waits until exactly these are managers, all ready, and nothing is left to be done. */
    void awaitMembers(int... expected) {
        List<String> ids = Arrays.stream(expected).mapToObj(n -> "m" + n).toList();
        await().atMost(Duration.ofSeconds(90))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () ->
                                managers()
                                                .filter(all -> all.getStep().isEmpty())
                                                .map(ManagerNetwork::ids)
                                                .equals(Optional.of(ids))
                                        && Arrays.stream(expected)
                                                .allMatch(
                                                        n ->
                                                                running.containsKey(n)
                                                                        && running.get(n)
                                                                                .manager
                                                                                .missing()
                                                                                .isEmpty()));
    }

    private static List<String> ids(ListManagersResponse all) {
        return all.getManagersList().stream().map(each -> each.getManager().getNodeId()).toList();
    }

    ChangeManagersRequest.Builder add(int n) throws IOException {
        ManagerMember member = member(n);
        return ChangeManagersRequest.newBuilder()
                .setAdd(
                        ManagerNode.newBuilder()
                                .setNodeId(member.nodeId().value())
                                .setRaftAddress(member.raftAddress())
                                .setServiceAddress(member.serviceAddress()));
    }

    static ChangeManagersRequest.Builder remove(int n) {
        return ChangeManagersRequest.newBuilder().setRemove("m" + n);
    }

    /** By the leader; one that has just been deposed on a busy machine has begun nothing. */
    List<String> change(ChangeManagersRequest.Builder request) {
        return await().until(() -> changed(request), Optional::isPresent).orElseThrow();
    }

    private Optional<List<String>> changed(ChangeManagersRequest.Builder request) {
        try {
            return Optional.of(
                    awaitLeader().admin().changeManagers(request.build()).getEffectsList());
        } catch (StatusRuntimeException failure) {
            if (failure.getStatus().getCode() == Status.Code.UNAVAILABLE
                    && String.valueOf(failure.getMessage()).contains("NotLeaderException")) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        ManagerUnderTest.closeAll(running.values());
    }
}
