package io.parterre.server;

import static io.parterre.server.crash.CrashPoint.AFTER_LOG_SYNC;
import static io.parterre.server.crash.CrashPoint.BEFORE_VOTE;

import io.parterre.server.crash.CrashPoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node ends at every moment of the list, leading and following, under load. It is started again,
 * and everything acknowledged is there, nothing unacknowledged contradicts it, and all members hold
 * the same bytes.
 *
 * <p>The courses are part of the long tier: of a hundred nodes that end like this within a process
 * that lives on, Ratis does not come to an end with one, and keeps a core busy. Processes that
 * really end are in chaos-tests.
 */
@Timeout(240)
final class CrashPointIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final List<String> FOUR = List.of("node-1", "node-2", "node-3", "node-4");

    /** How a node gets to a moment. */
    enum Way {
        /** By the writes that go on all the time. */
        LOAD,
        /** By small changes of large entities, many at a time: {@link SliceCrashIT}. */
        SLICES,
        FLUSH,
        PURGE,
        /** Another member, or this one, is given leadership. */
        ELECTION,
        /** A member has been away for long. */
        COPY,
        /** A node joins the range, and leaves it. */
        MEMBERS,
        /** A node starts for the first time. */
        FIRST_START,
        /** A range becomes two: {@link SplitPowerLossIT}, which has a range to split. */
        SPLIT,
        /** Two ranges become one: {@link MergeCrashes}, which has two. */
        MERGE,
        /** An entry cannot be applied: {@link UnappliedEntryIT}. */
        QUARANTINE
    }

    static final Map<CrashPoint, Way> WAYS =
            Map.ofEntries(
                    Map.entry(CrashPoint.BEFORE_LOG_APPEND, Way.LOAD),
                    Map.entry(CrashPoint.AFTER_LOG_APPEND, Way.LOAD),
                    Map.entry(CrashPoint.BEFORE_LOG_SYNC, Way.LOAD),
                    Map.entry(AFTER_LOG_SYNC, Way.LOAD),
                    Map.entry(CrashPoint.BEFORE_APPLY, Way.LOAD),
                    Map.entry(CrashPoint.BETWEEN_SLICES, Way.SLICES),
                    Map.entry(CrashPoint.AFTER_APPLY, Way.LOAD),
                    Map.entry(CrashPoint.BEFORE_FLUSH, Way.FLUSH),
                    Map.entry(CrashPoint.AFTER_FLUSH, Way.FLUSH),
                    Map.entry(CrashPoint.BEFORE_LOG_PURGE, Way.PURGE),
                    Map.entry(BEFORE_VOTE, Way.ELECTION),
                    Map.entry(CrashPoint.AFTER_VOTE, Way.ELECTION),
                    Map.entry(CrashPoint.LEADERSHIP_BEGUN, Way.ELECTION),
                    Map.entry(CrashPoint.COPY_OPENED, Way.COPY),
                    Map.entry(CrashPoint.COPY_RECEIVED, Way.COPY),
                    Map.entry(CrashPoint.COPY_STAGED, Way.COPY),
                    Map.entry(CrashPoint.COPY_MARKED, Way.COPY),
                    Map.entry(CrashPoint.COPY_EMPTIED, Way.COPY),
                    Map.entry(CrashPoint.COPY_INGESTED, Way.COPY),
                    Map.entry(CrashPoint.BEFORE_DESCRIPTOR, Way.MEMBERS),
                    Map.entry(CrashPoint.AFTER_DESCRIPTOR, Way.MEMBERS),
                    Map.entry(CrashPoint.GROUP_JOINED, Way.MEMBERS),
                    Map.entry(CrashPoint.MEMBERS_CONFIGURED, Way.MEMBERS),
                    Map.entry(CrashPoint.MEMBERS_APPLIED, Way.MEMBERS),
                    Map.entry(CrashPoint.REMOVAL_MARKED, Way.MEMBERS),
                    Map.entry(CrashPoint.REMOVAL_LOG_GONE, Way.MEMBERS),
                    Map.entry(CrashPoint.REMOVAL_DONE, Way.MEMBERS),
                    Map.entry(CrashPoint.SPLIT_APPLIED, Way.SPLIT),
                    Map.entry(CrashPoint.SPLIT_FLUSHED, Way.SPLIT),
                    Map.entry(CrashPoint.CHILD_JOINED, Way.SPLIT),
                    Map.entry(CrashPoint.CHILD_LED, Way.SPLIT),
                    Map.entry(CrashPoint.MERGE_FREEZE_COMMITTED, Way.MERGE),
                    Map.entry(CrashPoint.MERGE_FREEZE_APPLIED, Way.MERGE),
                    Map.entry(CrashPoint.MERGE_ABSORB_APPLIED, Way.MERGE),
                    Map.entry(CrashPoint.MERGE_FLUSHED, Way.MERGE),
                    Map.entry(CrashPoint.MERGE_LOG_GONE, Way.MERGE),
                    Map.entry(CrashPoint.MERGE_RIGHT_REMOVED, Way.MERGE),
                    Map.entry(CrashPoint.BEFORE_QUARANTINE, Way.QUARANTINE),
                    Map.entry(CrashPoint.QUARANTINE_MARKED, Way.QUARANTINE),
                    Map.entry(CrashPoint.BEFORE_CLUSTER_ID, Way.FIRST_START),
                    Map.entry(CrashPoint.AFTER_CLUSTER_ID, Way.FIRST_START));

    /** A leader never gets to these: it answers no append of another one. */
    private static final Set<CrashPoint> OF_FOLLOWERS = EnumSet.of(AFTER_LOG_SYNC);

    @TempDir static Path folder;
    private static TestCluster cluster;
    private static final Map<String, CrashingNode> NODES = new java.util.HashMap<>();

    private final AtomicBoolean enough = new AtomicBoolean();
    private final List<Thread> writers = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        cluster = TestCluster.in(folder).founded();
        for (String node : THREE) {
            start(node);
        }
        cluster.client.write(20);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static void start(String node) throws Exception {
        CrashingNode crash = new CrashingNode();
        NODES.put(node, crash);
        cluster.start(node, crash);
    }

    private static void restart(String node) throws Exception {
        cluster.kill(node);
        start(node);
        cluster.awaitKnown(node);
    }

    private static void awaitCrash(String node) {
        TestCluster.await().untilTrue(NODES.get(node).crashed());
    }

    private void underLoad() {
        Thread writer =
                new Thread(
                        () -> {
                            while (!enough.get()) {
                                cluster.client.write();
                            }
                        });
        writer.start();
        writers.add(writer);
    }

    /** Everybody is back, and all is as it should be. */
    private void assertWhole(List<String> members) throws Exception {
        enough.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
        cluster.client.write(3);
        cluster.client.assertAllThere();
        cluster.assertSameRows(members);
        // Or each start would apply the log of all that went before.
        members.forEach(cluster::tryFlush);
    }

    static Stream<Arguments> inItsRoles(Way... ways) {
        return Stream.of(CrashPoint.values())
                .filter(point -> List.of(ways).contains(WAYS.get(point)))
                .flatMap(
                        point ->
                                OF_FOLLOWERS.contains(point)
                                        ? Stream.of(Arguments.of(point, false))
                                        : Stream.of(
                                                Arguments.of(point, true),
                                                Arguments.of(point, false)));
    }

    static Stream<Arguments> whileItWorks() {
        return inItsRoles(Way.LOAD, Way.FLUSH, Way.PURGE);
    }

    static Stream<CrashPoint> by(Way way) {
        return Stream.of(CrashPoint.values()).filter(point -> WAYS.get(point) == way);
    }

    static Stream<CrashPoint> elections() {
        return by(Way.ELECTION);
    }

    static Stream<CrashPoint> copies() {
        return by(Way.COPY);
    }

    static Stream<CrashPoint> changes() {
        return by(Way.MEMBERS);
    }

    static Stream<CrashPoint> firstStarts() {
        return by(Way.FIRST_START);
    }

    private static String follower(String leader) {
        return THREE.get((THREE.indexOf(leader) + 1) % THREE.size());
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("whileItWorks")
    void ackedWritesSurvive_whenMemberCrashesAtWriteFlushOrPurge(CrashPoint point, boolean leading)
            throws Exception {
        String leader = cluster.awaitLeader();
        String victim = leading ? leader : follower(leader);
        underLoad();
        NODES.get(victim).crashAt(point);
        switch (WAYS.get(point)) {
            case FLUSH -> cluster.tryFlush(victim);
            case PURGE -> {
                cluster.client.writeLarge(30);
                cluster.tryFlush(victim);
            }
            default -> {}
        }
        awaitCrash(victim);
        restart(victim);
        assertWhole(THREE);
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("elections")
    void ackedWritesSurvive_whenMemberCrashesInElection(CrashPoint point) throws Exception {
        String leader = cluster.awaitLeader();
        String next = follower(leader);
        String voter = follower(next);
        underLoad();
        String victim = point == CrashPoint.LEADERSHIP_BEGUN ? next : voter;
        NODES.get(victim).crashAt(point);
        cluster.manager.transferLeadership(cluster.generation(), next);
        awaitCrash(victim);
        cluster.manager.withdrawOrders();
        restart(victim);
        assertWhole(THREE);
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("copies")
    void ackedWritesSurvive_whenSenderOrReceiverOfCopyCrashes(CrashPoint point) throws Exception {
        // Who has sent the last copy may keep its log for it.
        String leader = follower(cluster.awaitLeader());
        cluster.lead(leader, cluster.generation());
        String away = follower(leader);
        cluster.kill(away);
        cluster.purgeLog();
        CrashingNode receiver = new CrashingNode();
        NODES.put(away, receiver);
        String victim = point == CrashPoint.COPY_OPENED ? leader : away;
        NODES.get(victim).crashAt(point);
        cluster.start(away, receiver);
        underLoad();
        awaitCrash(victim);
        restart(victim);
        assertWhole(THREE);
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("changes")
    void ackedWritesSurvive_whenMemberCrashesInMembershipChange(CrashPoint point) throws Exception {
        cluster.awaitLeader();
        start("node-4");
        cluster.awaitKnown("node-4");
        underLoad();
        boolean ofLeader =
                point == CrashPoint.MEMBERS_CONFIGURED || point == CrashPoint.MEMBERS_APPLIED;
        String victim = ofLeader ? cluster.awaitLeader() : "node-4";
        NODES.get(victim).crashAt(point);
        long before = cluster.generation();
        cluster.manager.join("node-4", before, THREE);
        if (before(point, CrashPoint.MEMBERS_CONFIGURED)) {
            awaitCrash(victim);
            restart(victim);
        }
        cluster.awaitJoining("node-4");
        cluster.manager.withdrawOrders();
        cluster.manager.change(before, FOUR);
        if (ofLeader) {
            awaitCrash(victim);
            restart(victim);
            cluster.manager.change(before, FOUR);
        }
        cluster.change(before, FOUR);
        cluster.leadAmong(THREE);
        cluster.change(before + 1, THREE);
        cluster.manager.remove("node-4", before + 2);
        if (before(CrashPoint.MEMBERS_APPLIED, point)) {
            awaitCrash(victim);
            restart(victim);
            cluster.manager.remove("node-4", before + 2);
        }
        cluster.awaitGone("node-4");
        cluster.manager.withdrawOrders();
        assertWhole(THREE);
        cluster.close("node-4");
        cluster.wipe("node-4");
    }

    private static boolean before(CrashPoint one, CrashPoint other) {
        return one.compareTo(other) < 0;
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("firstStarts")
    void newNodeReportsClusterId_afterCrashWhileStoringIt(CrashPoint point) throws Exception {
        CrashingNode crash = new CrashingNode();
        crash.crashAt(point);
        NODES.put("node-5", crash);
        cluster.start("node-5", crash);
        awaitCrash("node-5");
        restart("node-5");
        TestCluster.await().until(() -> cluster.reports.clusterOf("node-5").equals("cluster-1"));
        assertWhole(THREE);
        cluster.close("node-5");
        cluster.wipe("node-5");
    }
}
