package io.parterre.server;

import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Links that fail and come back, again and again. */
@Execution(ExecutionMode.CONCURRENT)
final class FlappingNetworkIT extends NetworkFaults {
    @Test
    void readsNeverMissAckedWrites_whileNetworkFlaps() throws Exception {
        try (TestCluster cluster = start()) {
            cluster.client.write(1);
            String first = cluster.awaitLeader();
            try (FlappingNetwork flapping =
                    new FlappingNetwork(cluster.network(), first, others(cluster, first), 20)) {
                for (int version = 1; !flapping.hasEnded(); version++) {
                    assertThat(
                                    cluster.client
                                            .call(
                                                    command(
                                                            Commands.write(
                                                                    3_000_000L + version,
                                                                    EntityOperation.Kind
                                                                            .INSERT_OR_REPLACE,
                                                                    "register",
                                                                    "r",
                                                                    versionText(version))))
                                            .getOutcome()
                                            .hasWritten())
                            .isTrue();
                    for (String node : cluster.founders()) {
                        RangeResponse answer = ask(cluster, node, read(key("register", "r")));
                        if (answer.hasRow()) {
                            assertThat(answer.getRow().getValue().toStringUtf8())
                                    .as(node)
                                    .contains(versionText(version));
                        }
                    }
                }
            }
            cluster.awaitLevel(cluster.founders());
        }
    }

    @Test
    void followerCatchesUp_afterConnectionsBreak() throws Exception {
        try (TestCluster cluster = start(CALM)) {
            cluster.client.write(3);
            String leader = cluster.awaitLeader();
            String cutOff = others(cluster, leader).get(0);
            for (int i = 0; i < 3; i++) {
                cluster.network().breakBothWays(leader, cutOff);
                write(cluster, leader, 5);
                cluster.network().heal();
                awaitRows(cluster, cutOff, 3 + nextRow - 1);
            }
        }
    }
}
