package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.parterre.crash.CrashHook;
import io.parterre.entity.EntityCodec;
import io.parterre.file.DurableFiles;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
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

    /** Large enough that a few dozen fill segments of the log. */
    private static final String LARGE = "x".repeat(400_000);

    private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+).*");

    final OrderingManager manager;
    private final Path folder;
    private final List<String> founders;
    private final UnaryOperator<TestConfig> settings;
    private final String name = UUID.randomUUID().toString();
    private final Map<String, RunningServer> running = new ConcurrentHashMap<>();
    private final Map<String, Integer> raftPorts = new ConcurrentHashMap<>();
    private final AtomicLong sequences = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final Set<String> puts = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> flagged = new ConcurrentHashMap<>();
    private final Optional<TestNetwork> network;
    private final Duration electionTimeoutMin;
    private final RangeId first;
    private volatile long generation = 1;
    private volatile RangeId range;
    private volatile DiskConfig disk = DiskConfig.DEFAULT;
    private volatile Function<String, InstantSource> clocks = node -> InstantSource.system();
    private volatile Function<String, SpaceSource> spaces = node -> RunningServer.ROOMY;
    private volatile MemberWaits memberWaits = MemberWaits.DEFAULT;

    private TestCluster(
            RangeId first,
            Path folder,
            List<String> founders,
            Optional<TestNetwork> network,
            Duration electionTimeoutMin,
            UnaryOperator<TestConfig> settings) {
        this.first = first;
        this.range = first;
        this.folder = folder;
        this.settings = settings;
        this.founders = founders;
        this.network = network;
        this.electionTimeoutMin = electionTimeoutMin;
        this.manager =
                new OrderingManager(
                        new RangeDescriptor(
                                first,
                                KeyRange.ALL,
                                Generation.FIRST,
                                founders.stream().map(NodeId::new).toList()),
                        (from, to, reported) ->
                                network.map(links -> links.address(from, to, reported))
                                        .orElse(reported));
    }

    /** Three nodes, and a range on all of them. */
    static TestCluster ofThree(Path folder) throws Exception {
        return of(folder, "node-1", "node-2", "node-3");
    }

    /** A range that is to be on these nodes, none of which is started. */
    static TestCluster founded(Path folder, List<String> nodes) {
        return founded(folder, nodes, ELECTION_TIMEOUT_MIN);
    }

    /**
     * The same.
     *
     * @param electionTimeoutMin the longest is twice as long
     */
    static TestCluster founded(Path folder, List<String> nodes, Duration electionTimeoutMin) {
        return new TestCluster(
                RANGE,
                folder,
                nodes,
                Optional.empty(),
                electionTimeoutMin,
                UnaryOperator.identity());
    }

    /** The same, with other settings. */
    static TestCluster founded(
            Path folder, List<String> nodes, UnaryOperator<TestConfig> settings) {
        return new TestCluster(
                RANGE, folder, nodes, Optional.empty(), ELECTION_TIMEOUT_MIN, settings);
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

    /** The same, with other settings. */
    static TestCluster ofThree(Path folder, UnaryOperator<TestConfig> settings) throws Exception {
        return of(RANGE, folder, MemberWaits.DEFAULT, settings, "node-1", "node-2", "node-3");
    }

    static TestCluster of(Path folder, String... nodes) throws Exception {
        return of(RANGE, folder, MemberWaits.DEFAULT, nodes);
    }

    /** Holds another range at first than the clusters of other tests, if {@link LogLines} ask. */
    static TestCluster of(RangeId first, Path folder, MemberWaits waits, String... nodes)
            throws Exception {
        return of(first, folder, waits, UnaryOperator.identity(), nodes);
    }

    static TestCluster of(
            RangeId first,
            Path folder,
            MemberWaits waits,
            UnaryOperator<TestConfig> settings,
            String... nodes)
            throws Exception {
        TestCluster cluster =
                new TestCluster(
                        first,
                        folder,
                        List.of(nodes),
                        Optional.empty(),
                        ELECTION_TIMEOUT_MIN,
                        settings);
        cluster.memberWaits = waits;
        return started(cluster);
    }

    /**
     * Nodes with a network between them that can fail. None of them is started again: it would find
     * the others where the one that led last did.
     *
     * @param electionTimeoutMin the longest is twice as long
     */
    static TestCluster withNetwork(Path folder, Duration electionTimeoutMin, String... nodes)
            throws Exception {
        return withNetwork(RANGE, folder, electionTimeoutMin, UnaryOperator.identity(), nodes);
    }

    /** The same, with a range and settings of the test's own. */
    static TestCluster withNetwork(
            RangeId range,
            Path folder,
            Duration electionTimeoutMin,
            UnaryOperator<TestConfig> settings,
            String... nodes)
            throws Exception {
        return started(
                new TestCluster(
                        range,
                        folder,
                        List.of(nodes),
                        Optional.of(new TestNetwork()),
                        electionTimeoutMin,
                        settings));
    }

    private static TestCluster started(TestCluster cluster) throws IOException {
        for (String node : cluster.founders) {
            cluster.start(node);
        }
        return cluster;
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

    /** Has the client ask for another range from now on. */
    void goOnWith(RangeId other) {
        range = other;
        generation = 1;
    }

    /**
     * A write of which nobody hears how it ended: it is in the log of the node that leads, which
     * the others do not follow. Counts as acknowledged.
     */
    void writeUnanswered(String leader) {
        long sequence = sequences.incrementAndGet();
        RangeRequest.Builder request =
                command(insert(sequence, "p", String.format("%08d", sequence), "small"));
        new Thread(() -> tried(node(leader), request), "unanswered").start();
        awaitUnapplied(leader);
        acknowledged.incrementAndGet();
    }

    /**
     * Writes through a leader without a pause until a write has no answer, since the cut has taken
     * the leader's majority away. A write that came only after the cut might find that the leader
     * has stepped down. Those with an answer are acknowledged, and the last counts as well: it is
     * in the leader's log.
     */
    void writeUntilUnanswered(String leader, Runnable cut) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread writer =
                new Thread(
                        () -> {
                            while (isAnswered(leader, sequences.incrementAndGet())) {
                                acknowledged.incrementAndGet();
                                begun.countDown();
                            }
                        },
                        "unanswered");
        writer.start();
        begun.await();
        cut.run();
        awaitUnapplied(leader);
        writer.join();
        acknowledged.incrementAndGet();
    }

    private boolean isAnswered(String node, long sequence) {
        String row = String.format("%08d", sequence);
        return tried(node(node), command(insert(sequence, "p", row, "small"))).isPresent();
    }

    /** By a report that was begun after this was called, as in {@link #awaitLevel}. */
    private void awaitUnapplied(String node) {
        long before = manager.reportCount(node);
        await().until(
                        () ->
                                manager.reportCount(node) >= before + 2
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
        manager.forget(node);
    }

    void close(String node) {
        running.remove(node).close();
        manager.forget(node);
    }

    /** As if the power had failed: all at once. */
    void killAll() {
        List<String> nodes = List.copyOf(running.keySet());
        close();
        nodes.forEach(manager::forget);
    }

    void awaitKnown(String node) {
        await().until(() -> manager.knows(node));
    }

    void awaitGone(String node) {
        await().until(() -> manager.knows(node) && manager.replica(node).isEmpty());
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

    /** Sends to one node after the other until one that leads has answered for good. */
    RangeResponse call(RangeRequest.Builder request) {
        List<RangeResponse> answer = new ArrayList<>();
        await().until(
                        () -> {
                            for (RunningServer server : running.values()) {
                                Optional<RangeResponse> given = tried(server, request);
                                if (given.isPresent()) {
                                    answer.add(given.get());
                                    return true;
                                }
                            }
                            return false;
                        });
        return answer.get(0);
    }

    /** What one node says to a command, whatever it is. */
    RangeResponse answer(String node, Command.Builder command) throws Exception {
        return running.get(node)
                .client()
                .call(command(command).setRangeId(first.value()).setGeneration(generation));
    }

    private Optional<RangeResponse> tried(RunningServer server, RangeRequest.Builder request) {
        RangeResponse response;
        try {
            response =
                    server.client()
                            .call(
                                    request.clone()
                                            .setRangeId(range.value())
                                            .setGeneration(generation));
        } catch (Exception gone) {
            server.connectAgain();
            return Optional.empty();
        }
        if (response.hasStaleRange()) {
            response.getStaleRange()
                    .getDescriptorsList()
                    .forEach(each -> generation = Math.max(generation, each.getGeneration()));
            return Optional.empty();
        }
        boolean again = response.hasNotLeader() || response.hasInDoubt() || response.hasBusy();
        return again ? Optional.empty() : Optional.of(response);
    }

    /** Writes one entity more; a repeat after doubt answers the first outcome. */
    void write() {
        write("small");
    }

    private void write(String text) {
        long sequence = sequences.incrementAndGet();
        RangeResponse response =
                call(command(insert(sequence, "p", String.format("%08d", sequence), text)));
        assertThat(response.getOutcome().hasWritten()).as(response.toString()).isTrue();
        acknowledged.incrementAndGet();
    }

    /** Puts an entity in the place of the one of its name, if there is one. */
    RangeResponse put(String partition, String row, String text) {
        RangeResponse response =
                call(
                        command(
                                Commands.write(
                                        sequences.incrementAndGet(),
                                        EntityOperation.Kind.INSERT_OR_REPLACE,
                                        partition,
                                        row,
                                        text)));
        if (puts.add(partition + "/" + row)) {
            acknowledged.incrementAndGet();
        }
        return response;
    }

    void writeLarge(int count) {
        for (int i = 0; i < count; i++) {
            write(LARGE);
        }
    }

    /**
     * Sets one small property of as many large entities, all at a time, so that most of it is one
     * log entry and many slices; again and again, until that is enough. An entity that is there has
     * the timestamp that was answered last: it was written no second time.
     */
    void mergeLarge(int count, BooleanSupplier enough) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            put("large", "" + i, LARGE);
        }
        int round = 0;
        do {
            int value = round++;
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String row = "" + i;
                clients.add(new Thread(() -> mergeFlag(row, value), "merge-" + i));
            }
            clients.forEach(Thread::start);
            for (Thread client : clients) {
                client.join();
            }
        } while (!enough.getAsBoolean());
        assertThat(flagged.keySet()).hasSize(count);
        flagged.forEach(
                (row, ticks) -> {
                    RangeResponse found = call(read(Commands.key("large", row)));
                    byte[] value = found.getRow().getValue().toByteArray();
                    assertThat(EntityCodec.timestampTicks(value)).as(row).isEqualTo(ticks);
                });
    }

    private void mergeFlag(String row, int value) {
        RangeResponse response =
                call(command(Commands.mergeFlag(sequences.incrementAndGet(), "large", row, value)));
        assertThat(response.getOutcome().hasWritten()).as(response.toString()).isTrue();
        flagged.put(row, response.getOutcome().getWritten().getTimestampTicks(0));
    }

    void write(int count) {
        for (int i = 0; i < count; i++) {
            write();
        }
    }

    /** Writes that count as acknowledged. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** Of the last writes so many may be lost, from some point on; counts those that are there. */
    void keptOfLast(int writes) {
        long found = entities();
        assertThat(found).isBetween(acknowledged.get() - writes, acknowledged.get());
        for (long sequence = 1; sequence <= found; sequence++) {
            RangeResponse row = call(read(Commands.key("p", String.format("%08d", sequence))));
            assertThat(row.hasRow()).as("write %s of %s", sequence, found).isTrue();
        }
        acknowledged.set(found);
    }

    /** Every entity that was acknowledged is there, and no other. */
    void assertAllThere() {
        assertThat(entities()).isEqualTo(acknowledged.get());
    }

    private long entities() {
        long found = 0;
        KeyRange rest = KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE));
        for (; ; ) {
            RangeResponse page = call(scan(rest, 1000));
            assertThat(page.hasScanPage()).as(page.toString()).isTrue();
            found += page.getScanPage().getRowCount();
            if (!page.getScanPage().hasResumeKey()) {
                break;
            }
            rest =
                    new KeyRange(
                            io.parterre.key.Key.wrap(
                                    page.getScanPage().getResumeKey().toByteArray()),
                            rest.endExclusive());
        }
        return found;
    }

    /** Flushes a node that may end meanwhile. */
    void tryFlush(String node) {
        try {
            running.get(node).flush();
        } catch (StatusRuntimeException ended) {
            assertThat(ended.getStatus().isOk()).isFalse();
        }
    }

    /** Generation of the range as far as a client knows. */
    long generation() {
        long known = 0;
        for (String node : running.keySet()) {
            known =
                    Math.max(
                            known,
                            manager.replica(node).map(ReplicaReport::getGeneration).orElse(0L));
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
        write();
        List<String> holders =
                running.keySet().stream()
                        .filter(node -> manager.replica(node).isPresent())
                        .toList();
        awaitLevel(holders);
        long before = manager.replica(holders.get(0)).orElseThrow().getAppliedIndex();
        for (int i = 0; i < 50; i++) {
            write(LARGE);
        }
        for (String node : holders) {
            running.get(node).flush();
        }
        await().until(
                        () -> {
                            write();
                            return holders.stream().allMatch(node -> logBegin(node) > before);
                        });
    }

    /** Index of the first entry of a node's log. */
    private long logBegin(String node) {
        return logBegin(node, first);
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
        List<String> leader = new ArrayList<>();
        await().until(
                        () -> {
                            running.keySet().stream()
                                    .filter(node -> report(node, ReplicaReport::getLeading))
                                    .findFirst()
                                    .ifPresent(leader::add);
                            return !leader.isEmpty();
                        });
        return leader.get(0);
    }

    /** Of any range that is on the founders. */
    String awaitLeader(RangeId rangeId) {
        return await().until(
                        () ->
                                founders.stream()
                                        .filter(node -> leads(node, rangeId))
                                        .findFirst()
                                        .orElse(""),
                        leader -> !leader.isEmpty());
    }

    /** Says whether the node says so. */
    boolean leads(String node, RangeId rangeId) {
        return manager.replica(node, rangeId).filter(ReplicaReport::getLeading).isPresent();
    }

    boolean report(String node, java.util.function.Predicate<ReplicaReport> test) {
        return manager.replica(node).filter(test).isPresent();
    }

    void awaitReport(String node, java.util.function.Predicate<ReplicaReport> test) {
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
        assertAllThere();
    }

    /** All members have applied the same. */
    /** By reports that were begun after this was called: older ones may be level all the same. */
    void awaitLevel(List<String> nodes) {
        Map<String, Long> before =
                nodes.stream().collect(Collectors.toMap(node -> node, manager::reportCount));
        await().until(
                        () ->
                                nodes.stream()
                                                .allMatch(
                                                        node ->
                                                                manager.reportCount(node)
                                                                        >= before.get(node) + 2)
                                        && nodes.stream()
                                                        .map(
                                                                node ->
                                                                        manager.replica(node)
                                                                                .map(
                                                                                        ReplicaReport
                                                                                                ::getAppliedIndex)
                                                                                .orElse(-1L))
                                                        .distinct()
                                                        .count()
                                                == 1);
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
