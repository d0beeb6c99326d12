package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.manager.ReplicaReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A member that differs, with real groups and stores. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class ReplicaComparisonIT extends ComparedReplicas {

    @Test
    void followerWithAChangedByteIsFoundAndRebuilt_whileClientsWrite() throws Exception {
        try (TestCluster cluster = cluster(folder, OFTEN)) {
            cluster.client.write(50);
            cluster.lead("node-1", 1);
            awaitMore(cluster, "equal");
            try (Writer writer = new Writer(cluster.client::write)) {
                awaitMore(cluster, "equal");
                flip(cluster, "node-3", "00000007");
                cluster.awaitReport("node-1", leader -> differs(leader, "node-3") > 0);
                ReplicaReport leader = cluster.reports.replica("node-1").orElseThrow();
                assertThat(differs(leader, "node-2")).isZero();
                assertThat(leader.getDiffersAt()).isZero();
                rebuild(cluster, "node-3", differs(leader, "node-3"));
                cluster.awaitReport("node-1", told -> differs(told, "node-3") == 0);
                awaitMore(cluster, "equal");
            }
            cluster.client.assertAllThere();
            cluster.assertSameRows(THREE);
            cluster.assertAllThereAt("node-3", 3);
            assertThat(count(cluster, "undecided")).isZero();
        }
    }

    /** It knows so of itself, also once another one leads. */
    @Test
    void leaderWithAChangedByteReportsItself_alsoAfterItsLead() throws Exception {
        try (TestCluster cluster = cluster(folder, OFTEN)) {
            cluster.client.write(50);
            cluster.lead("node-1", 1);
            flip(cluster, "node-1", "00000007");
            cluster.awaitReport("node-1", leader -> leader.getDiffersAt() > 0);
            cluster.lead("node-2", 1);
            cluster.awaitReport("node-1", replica -> !replica.getLeading());
            assertThat(cluster.reports.replica("node-1").orElseThrow().getDiffersAt()).isPositive();
            cluster.awaitReport("node-2", leader -> differs(leader, "node-1") > 0);
        }
    }

    @Test
    void memberIsNotReported_whenNoMajorityHoldsTheSame() throws Exception {
        try (TestCluster cluster = cluster(folder, OFTEN)) {
            cluster.client.write(50);
            cluster.lead("node-1", 1);
            flip(cluster, "node-2", "00000007");
            flip(cluster, "node-3", "00000008");
            cluster.awaitReport("node-1", leader -> leader.getUndecidedAt() > 0);
            ReplicaReport leader = cluster.reports.replica("node-1").orElseThrow();
            assertThat(leader.getDiffersAt()).isZero();
            assertThat(differs(leader, "node-2")).isZero();
            assertThat(differs(leader, "node-3")).isZero();
            cluster.client.write(5);
        }
    }
}
