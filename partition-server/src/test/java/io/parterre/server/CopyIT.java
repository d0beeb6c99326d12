package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.RangeClient.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.server.rpc.CopyConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The NodeService of a node that leads its range, asked directly. */
final class CopyIT {
    private static final CopyReplicaRequest REQUEST =
            CopyReplicaRequest.newBuilder().setRangeId(1).setNodeId("other").build();

    @TempDir Path folder;

    private RunningServer start(CopyConfig config) throws Exception {
        RunningServer server = RunningServer.start(RunningServer.config(folder).withCopy(config));
        for (int i = 1; i <= 300; i++) {
            server.client().callWhenReady(command(insert(i, "p", "" + i, "x".repeat(1_000))));
        }
        return server;
    }

    private static NodeServiceGrpc.NodeServiceBlockingStub ask(RunningServer server) {
        return NodeServiceGrpc.newBlockingStub(server.channel());
    }

    private static long rows(Iterator<CopyPart> copy) {
        long rows = 0;
        while (copy.hasNext()) {
            rows += copy.next().getRows().getRowCount();
        }
        return rows;
    }

    @Test
    void copyIsRejected_whenNodeDoesNotHoldTheRange() throws Exception {
        try (RunningServer server = start(CopyConfig.DEFAULT)) {
            for (long range : new long[] {0, 2}) {
                assertThatExceptionOfType(StatusRuntimeException.class)
                        .isThrownBy(
                                () ->
                                        ask(server)
                                                .copyReplica(
                                                        REQUEST.toBuilder()
                                                                .setRangeId(range)
                                                                .build())
                                                .hasNext())
                        .matches(
                                refused ->
                                        refused.getStatus().getCode()
                                                == Status.Code.FAILED_PRECONDITION);
            }
            assertThat(rows(ask(server).copyReplica(REQUEST))).isGreaterThan(300);
        }
    }

    @Test
    void slowReceiverHoldsOneCopySlot_untilItsCopyTimesOut() throws Exception {
        CopyConfig narrow = new CopyConfig(1, 1, 64 << 20, 1 << 10, Duration.ofSeconds(1));
        try (RunningServer server = start(narrow)) {
            Iterator<CopyPart> slow = ask(server).copyReplica(REQUEST);
            assertThat(slow.next().hasHeader()).isTrue();

            assertThatExceptionOfType(StatusRuntimeException.class)
                    .isThrownBy(() -> ask(server).copyReplica(REQUEST).hasNext())
                    .matches(
                            refused ->
                                    refused.getStatus().getCode()
                                            == Status.Code.RESOURCE_EXHAUSTED);

            // The slow one has lost its turn after a while.
            Awaitility.await()
                    .ignoreException(StatusRuntimeException.class)
                    .until(() -> rows(ask(server).copyReplica(REQUEST)) > 300);
            assertThatExceptionOfType(StatusRuntimeException.class).isThrownBy(() -> rows(slow));
        }
    }

    @Test
    void copyIsThrottledToConfiguredRate() throws Exception {
        CopyConfig slow = new CopyConfig(1, 1, 500_000, 1 << 12, Duration.ofSeconds(30));
        try (RunningServer server = start(slow)) {
            long start = System.nanoTime();
            rows(ask(server).copyReplica(REQUEST));
            // 300 rows of more than 1,000 bytes, less what may go at once.
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThan(Duration.ofMillis(350));
        }
    }
}
