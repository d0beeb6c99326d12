package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.proto.range.RangeResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/**
 * One node of three writes to a real file system that is full or fails. It acknowledges nothing
 * more and says so, others lead, nothing acknowledged is lost, and it goes on: with space again by
 * itself, after a failure once it is started.
 */
abstract class DiskFaults {
    static final String CANNOT_MOUNT = "needs the right to mount file systems";
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final List<String> OTHERS = List.of("node-2", "node-3");

    @TempDir Path folder;

    TestCluster start(boolean leading) throws Exception {
        TestCluster cluster = TestCluster.ofThree(folder);
        cluster.client.write(5);
        cluster.lead(leading ? "node-1" : "node-2", 1);
        return cluster;
    }

    /** The others' are on the machine's disk, which is as full as it is. */
    TestCluster startWithSpaceOfNode1() throws Exception {
        TestCluster cluster = TestCluster.in(folder).founded();
        cluster.withSpaces(
                node ->
                        node.equals("node-1")
                                ? SpaceSource.of(cluster.folder(node))
                                : RunningServer.ROOMY);
        for (String node : THREE) {
            cluster.start(node);
        }
        cluster.client.write(5);
        cluster.lead("node-2", 1);
        return cluster;
    }

    /** Leaves so much of the disk of node-1, which has noticed when this returns. */
    void fill(TestCluster cluster, long leftBytes) throws Exception {
        SmallDisk.fill(folder.resolve("node-1").resolve("filler"), leftBytes);
        TestCluster.await()
                .until(
                        () ->
                                cluster.node("node-1")
                                                .meters
                                                .get("partition_server_disk_usable_bytes")
                                                .gauge()
                                                .value()
                                        <= leftBytes);
    }

    static String awaitFailure(TestCluster cluster) {
        TestCluster.await().until(() -> !cluster.node("node-1").failures.isEmpty());
        return cluster.node("node-1").failures.peek().operation();
    }

    static void awaitFull(TestCluster cluster) {
        TestCluster.await()
                .until(
                        () ->
                                cluster.node("node-1")
                                        .server
                                        .missing()
                                        .filter("its disk is full"::equals)
                                        .isPresent());
    }

    static void awaitRoom(TestCluster cluster) {
        TestCluster.await()
                .until(
                        () ->
                                cluster.node("node-1")
                                        .server
                                        .missing()
                                        .filter(lack -> lack.contains("disk"))
                                        .isEmpty());
    }

    /** Without an operator. */
    static void goOnByItself(TestCluster cluster) throws Exception {
        awaitRoom(cluster);
        cluster.awaitKnown("node-1");
        cluster.client.write(3);
        cluster.assertSameRows(THREE);
        cluster.assertAllThereAt("node-1", 1);
        assertThat(cluster.node("node-1").failures).isEmpty();
    }

    /** Of what was written before. */
    static void assertServesFollowerReads(TestCluster cluster) throws Exception {
        RangeResponse answer = follow(cluster, 1, Commands.key("p", "00000001"));
        assertThat(answer.getRow().hasValue()).as(answer.toString()).isTrue();
        assertThat(answer.hasStalenessMillis()).isTrue();
    }

    /** As of a moment ago. */
    static boolean isReadFresh(TestCluster cluster, long generation, Key key) throws Exception {
        RangeResponse answer = follow(cluster, generation, key);
        return answer.getRow().hasValue()
                && answer.hasStalenessMillis()
                && answer.getStalenessMillis() < 2_000;
    }

    private static RangeResponse follow(TestCluster cluster, long generation, Key key)
            throws Exception {
        return cluster.node("node-1")
                .client()
                .call(
                        RangeClient.read(key)
                                .setFollowerRead(true)
                                .setRangeId(TestCluster.RANGE.value())
                                .setGeneration(generation));
    }

    static void goOn(TestCluster cluster) throws Exception {
        cluster.start("node-1");
        cluster.awaitKnown("node-1");
        cluster.client.write(3);
        cluster.assertSameRows(THREE);
        cluster.assertAllThereAt("node-1", 1);
    }

    /**
     * The same after a disk that forgot what it had taken: where that was in a closed segment of
     * the log, the replica is damaged, and is rebuilt from the others as a manager has it.
     */
    static void goOnOrRebuild(TestCluster cluster) throws Exception {
        cluster.start("node-1");
        cluster.awaitKnown("node-1");
        if (!cluster.report("node-1", replica -> replica.getState() == ReplicaState.DAMAGED)) {
            cluster.client.write(3);
            cluster.assertSameRows(THREE);
            cluster.assertAllThereAt("node-1", 1);
            return;
        }
        cluster.change(1, OTHERS);
        cluster.manager.remove("node-1", 2);
        cluster.awaitGone("node-1");
        cluster.manager.withdrawOrders();
        cluster.add("node-1", 2, OTHERS);
        cluster.client.write(3);
        cluster.assertSameRows(THREE);
        cluster.assertAllThereAt("node-1", 3);
    }
}
