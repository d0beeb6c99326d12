package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.parterre.crash.CrashHook;
import io.parterre.file.DurableFiles;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.MemberWaits;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.raft.RaftConfig;
import io.parterre.server.rows.StoredDigest;
import io.parterre.server.store.StoreConfig;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Nodes and a manager in this process, and a client that goes where the range is led. */
final class TestCluster implements AutoCloseable {
    static final RangeId RANGE = new RangeId(1);

    /** As long as a member may get no processor time on a busy machine, and no longer. */
    static final Duration ELECTION_TIMEOUT_MIN = Duration.ofMillis(700);

    /** A candidate that stands before the others are there stands again: a wait gains nothing. */
    static final Duration FIRST_ELECTION_MIN = Duration.ofMillis(200);

    static final Duration FIRST_ELECTION_MAX = Duration.ofMillis(600);

    private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+).*");

    final OrderingManager manager;
    final NodeReports reports;
    final ClusterClient client;
    private final Path folder;
    private final List<String> founders;
    private final UnaryOperator<TestConfig> settings;
    private final String name = UUID.randomUUID().toString();
    private final Map<String, RunningServer> running = new ConcurrentHashMap<>();
    private final Map<String, Integer> raftPorts = new ConcurrentHashMap<>();
    private final Optional<TestNetwork> network;
    private final Duration electionTimeoutMin;
    private final MemberWaits memberWaits;
    private final RangeId first;
    private volatile DiskConfig disk = DiskConfig.DEFAULT;
    private volatile Function<String, InstantSource> clocks = node -> InstantSource.system();
    private volatile Function<String, SpaceSource> spaces = node -> RunningServer.ROOMY;

    private TestCluster(Builder made) {
        first = made.range;
        folder = made.folder;
        founders = made.nodes;
        settings = made.settings;
        memberWaits = made.memberWaits;
        electionTimeoutMin = made.electionTimeoutMin;
        network = made.network;
        manager =
                new OrderingManager(
                        new RangeDescriptor(
                                first,
                                KeyRange.ALL,
                                Generation.FIRST,
                                founders.stream().map(NodeId::new).toList()),
                        (from, to, reported) ->
                                network.map(links -> links.address(from, to, reported))
                                        .orElse(reported));
        reports = manager.reports;
        client = new ClusterClient(this, first);
    }

    /** Three nodes that run, and a range on all of them. */
    static TestCluster ofThree(Path folder) throws IOException {
        return in(folder).start();
    }

    /** Another cluster than {@link #ofThree}, or one whose nodes the test starts. */
    static Builder in(Path folder) {
        return new Builder(folder);
    }

    /** What a cluster is made of: unless told otherwise, what {@link #ofThree} has. */
    static final class Builder {
        private final Path folder;
        private List<String> nodes = List.of("node-1", "node-2", "node-3");
        private RangeId range = RANGE;
        private UnaryOperator<TestConfig> settings = UnaryOperator.identity();
        private MemberWaits memberWaits = MemberWaits.DEFAULT;
        private Duration electionTimeoutMin = ELECTION_TIMEOUT_MIN;
        private Optional<TestNetwork> network = Optional.empty();

        private Builder(Path folder) {
            this.folder = folder;
        }

        /** Those that the range is on at first. */
        Builder nodes(String... value) {
            nodes = List.of(value);
            return this;
        }

        /** Another range at first than in the clusters of other tests, if {@link LogLines} ask. */
        Builder range(RangeId value) {
            range = value;
            return this;
        }

        /** What a node's settings become. */
        Builder settings(UnaryOperator<TestConfig> value) {
            settings = value;
            return this;
        }

        Builder memberWaits(MemberWaits value) {
            memberWaits = value;
            return this;
        }

        /** The longest is twice as long. */
        Builder electionTimeoutMin(Duration value) {
            electionTimeoutMin = value;
            return this;
        }

        /**
         * A network between the nodes that can fail. None of them is started again: it would find
         * the others where the one that led last did.
         */
        Builder withNetwork() {
            network = Optional.of(new TestNetwork());
            return this;
        }

        /** No node runs yet. */
        TestCluster founded() {
            return new TestCluster(this);
        }

        /** All nodes run. */
        TestCluster start() throws IOException {
            TestCluster cluster = founded();
            for (String node : cluster.founders) {
                cluster.start(node);
            }
            return cluster;
        }
    }

    /** For nodes started from now on. */
    void withDisk(DiskConfig patience) {
        disk = patience;
    }

    /** How full disks are, for nodes started from now on. */
    void withSpaces(Function<String, SpaceSource> ofNodes) {
        spaces = ofNodes;
    }

    /** For nodes started from now on. */
    void withClocks(Function<String, InstantSource> ofNodes) {
        clocks = ofNodes;
    }

    TestNetwork network() {
        return network.orElseThrow();
    }

    void start(String node) throws IOException {
        start(node, CrashHook.none());
    }

    /** Under the addresses it had before. */
    void start(String node, CrashHook<CrashPoint> crash) throws IOException {
        RaftConfig raft =
                new TestRaft()
                        .withAddress(
                                "127.0.0.1",
                                raftPorts.computeIfAbsent(node, any -> TestPorts.next()))
                        .withElectionTimeout(electionTimeoutMin, electionTimeoutMin.multipliedBy(2))
                        .withFirstElection(FIRST_ELECTION_MIN, FIRST_ELECTION_MAX)
                        .withPreservedLogBytes(1)
                        .withMemberWaits(memberWaits)
                        .build();
        TestConfig config =
                new TestConfig(folder(node), "in-process:" + name + "-" + node)
                        .withNodeId(node)
                        .withHeartbeatInterval(Duration.ofMillis(50))
                        .withStore(new StoreConfig(8 << 20, 16 << 20, Duration.ofHours(1)))
                        .withRaft(raft)
                        .withDiskSpace(RunningServer.NO_RESERVE)
                        .withDisk(disk);
        RunningServer server =
                RunningServer.start(
                        settings.apply(config),
                        List.of(manager),
                        clocks.apply(node),
                        crash,
                        spaces.apply(node));
        running.put(node, server);
    }

    /** All that run. */
    List<RunningServer> servers() {
        return List.copyOf(running.values());
    }

    /**
     * Its log has more than it has applied, by a report that was begun after this was called, as in
     * {@link #awaitLevel}.
     */
    void awaitUnapplied(String node) {
        long before = reports.count(node);
        await().until(
                        () ->
                                reports.count(node) >= before + 2
                                        && report(
                                                node,
                                                replica ->
                                                        replica.getLastIndex()
                                                                > replica.getAppliedIndex()));
    }

    Path folder(String node) {
        return folder.resolve(node);
    }

    RunningServer node(String node) {
        return running.get(node);
    }

    void kill(String node) {
        running.remove(node).kill();
        reports.forget(node);
    }

    void close(String node) {
        running.remove(node).close();
        reports.forget(node);
    }

    /** As if the power had failed: all at once. */
    void killAll() {
        List<String> nodes = List.copyOf(running.keySet());
        close();
        nodes.forEach(reports::forget);
    }

    void awaitKnown(String node) {
        await().until(() -> reports.knows(node));
    }

    void awaitGone(String node) {
        await().until(() -> reports.knows(node) && reports.replica(node).isEmpty());
    }

    /** What a node is that lost its disk. */
    void wipe(String node) throws IOException {
        DurableFiles.removeFolder(folder(node));
    }

    List<String> founders() {
        return founders;
    }

    static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60));
    }

    /** Flushes a node that may end meanwhile. */
    void tryFlush(String node) {
        try {
            running.get(node).flush();
        } catch (StatusRuntimeException ended) {
            assertThat(ended.getStatus().isOk()).isFalse();
        }
    }

    /** The greatest generation of the range that a running node reports. */
    long generation() {
        long known = 0;
        for (String node : running.keySet()) {
            known =
                    Math.max(
                            known,
                            reports.replica(node).map(ReplicaReport::getGeneration).orElse(0L));
        }
        return known;
    }

    /** Has one of these lead, if another does. */
    void leadAmong(List<String> nodes) {
        if (!nodes.contains(awaitLeader())) {
            lead(nodes.get(0), generation());
        }
    }

    /** All members, once they have applied the same, hold the same bytes of the range. */
    void assertSameRows(List<String> members) {
        await().pollInterval(Duration.ofMillis(100))
                .ignoreException(IOException.class)
                .untilAsserted(
                        () -> {
                            List<StoredDigest> digests = new ArrayList<>();
                            for (String member : members) {
                                digests.add(
                                        StoredDigest.of(running.get(member).server.store(), first));
                            }
                            assertThat(digests)
                                    .as("rows of %s", members)
                                    .containsOnly(digests.get(0));
                        });
    }

    /** Writes until no log reaches back to where it was. */
    void purgeLog() {
        client.write();
        List<String> holders =
                running.keySet().stream()
                        .filter(node -> reports.replica(node).isPresent())
                        .toList();
        awaitLevel(holders);
        long before = reports.replica(holders.get(0)).orElseThrow().getAppliedIndex();
        client.writeLarge(50);
        for (String node : holders) {
            running.get(node).flush();
        }
        await().until(
                        () -> {
                            client.write();
                            return holders.stream()
                                    .allMatch(node -> logBegin(node, first) > before);
                        });
    }

    /** Index of the first entry of a node's log of a range. */
    long logBegin(String node, RangeId rangeId) {
        Path current =
                folder(node)
                        .resolve("raft")
                        .resolve(rangeId.groupId().toString())
                        .resolve("current");
        try (Stream<Path> files = Files.list(current)) {
            return files.map(file -> SEGMENT.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .mapToLong(name -> Long.parseLong(name.group(1)))
                    .min()
                    .orElse(0);
        } catch (IOException | UncheckedIOException changing) {
            return 0;
        }
    }

    String awaitLeader() {
        return await().until(
                        () ->
                                running.keySet().stream()
                                        .filter(node -> report(node, ReplicaReport::getLeading))
                                        .findFirst()
                                        .orElse(""),
                        leader -> !leader.isEmpty());
    }

    /** The same of any range that is on the founders. */
    String awaitLeader(RangeId rangeId) {
        return await().until(
                        () ->
                                founders.stream()
                                        .filter(node -> leads(node, rangeId))
                                        .findFirst()
                                        .orElse(""),
                        leader -> !leader.isEmpty());
    }

    /** Whether the node reports that it leads the range. */
    boolean leads(String node, RangeId rangeId) {
        return reports.replica(node, rangeId).filter(ReplicaReport::getLeading).isPresent();
    }

    boolean report(String node, Predicate<ReplicaReport> test) {
        return reports.replica(node).filter(test).isPresent();
    }

    void awaitReport(String node, Predicate<ReplicaReport> test) {
        await().until(() -> report(node, test));
    }

    void awaitJoining(String node) {
        awaitReport(node, replica -> replica.getState() == ReplicaState.JOINING);
    }

    /** Adds a node's replica, which has all data when this returns. */
    void add(String node, long from, List<String> members) {
        manager.join(node, from, members);
        awaitJoining(node);
        List<String> changed = new ArrayList<>(members);
        changed.add(node);
        change(from, changed);
    }

    void change(long from, List<String> members) {
        manager.withdrawOrders();
        manager.change(from, members);
        for (String node : members) {
            if (running.containsKey(node)) {
                awaitReport(
                        node,
                        replica ->
                                replica.getGeneration() == from + 1
                                        && replica.getState() != ReplicaState.JOINING
                                        && replica.getMembersList().size() == members.size());
            }
        }
        manager.withdrawOrders();
    }

    void lead(String node, long at) {
        manager.withdrawOrders();
        manager.transferLeadership(at, node);
        awaitReport(node, ReplicaReport::getLeading);
        manager.withdrawOrders();
    }

    /** What a node leads, it must have all of. */
    void assertAllThereAt(String node, long at) {
        lead(node, at);
        client.assertAllThere();
    }

    /**
     * All these have applied the same, by reports that were begun after this was called: older ones
     * may be level all the same.
     */
    void awaitLevel(List<String> nodes) {
        Map<String, Long> before =
                nodes.stream().collect(Collectors.toMap(node -> node, reports::count));
        await().until(
                        () ->
                                nodes.stream()
                                                .allMatch(
                                                        node ->
                                                                reports.count(node)
                                                                        >= before.get(node) + 2)
                                        && nodes.stream()
                                                        .mapToLong(this::appliedIndex)
                                                        .distinct()
                                                        .count()
                                                == 1);
    }

    private long appliedIndex(String node) {
        return reports.replica(node).map(ReplicaReport::getAppliedIndex).orElse(-1L);
    }

    /** All at once: each waits for its connections to the others to end. */
    @Override
    public void close() {
        // A silent connection would be waited for.
        network.ifPresent(TestNetwork::close);
        List<Thread> closing =
                running.values().stream().map(server -> new Thread(server::kill)).toList();
        closing.forEach(Thread::start);
        for (Thread each : closing) {
            try {
                each.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        running.clear();
    }
}
