package io.parterre.server;

import io.parterre.proto.manager.ReplicaState;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/**
 * One node of three writes to a real file system that fails. It acknowledges nothing more and says
 * so, others lead, nothing acknowledged is lost, and with space again it goes on.
 */
abstract class DiskFaults {
    static final String CANNOT_MOUNT = "needs the right to mount file systems";
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final List<String> OTHERS = List.of("node-2", "node-3");

    @TempDir Path folder;

    TestCluster start(boolean leading) throws Exception {
        TestCluster cluster = TestCluster.ofThree(folder);
        cluster.write(5);
        cluster.lead(leading ? "node-1" : "node-2", 1);
        return cluster;
    }

    static String awaitFailure(TestCluster cluster) {
        TestCluster.await().until(() -> !cluster.node("node-1").failures.isEmpty());
        return cluster.node("node-1").failures.peek().operation();
    }

    static void goOn(TestCluster cluster) throws Exception {
        cluster.start("node-1");
        cluster.awaitKnown("node-1");
        cluster.write(3);
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
            cluster.write(3);
            cluster.assertSameRows(THREE);
            cluster.assertAllThereAt("node-1", 1);
            return;
        }
        cluster.change(1, OTHERS);
        cluster.manager.remove("node-1", 2);
        cluster.awaitGone("node-1");
        cluster.manager.withdrawOrders();
        cluster.add("node-1", 2, OTHERS);
        cluster.write(3);
        cluster.assertSameRows(THREE);
        cluster.assertAllThereAt("node-1", 3);
    }
}
