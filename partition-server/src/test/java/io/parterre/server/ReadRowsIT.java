package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.RangeClient.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.key.Key;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.LogPosition;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReadRowsRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows for backups, asked of the node that leads their range. */
final class ReadRowsIT {
    private static final ReadRowsRequest ALL =
            ReadRowsRequest.newBuilder()
                    .setRangeId(1)
                    .setEndExclusive(ByteString.copyFrom(Key.LAST.toBytes()))
                    .build();

    @TempDir Path folder;

    private static List<CopyPart> read(RunningServer server, ReadRowsRequest request) {
        List<CopyPart> parts = new ArrayList<>();
        Iterator<CopyPart> sent =
                NodeServiceGrpc.newBlockingStub(server.channel()).readRows(request);
        sent.forEachRemaining(parts::add);
        return parts;
    }

    private static long rows(List<CopyPart> parts) {
        return parts.stream().mapToLong(part -> part.getRows().getRowCount()).sum();
    }

    private static void assertRefused(
            RunningServer server, ReadRowsRequest request, Status.Code code) {
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> read(server, request))
                .matches(refused -> refused.getStatus().getCode() == code);
    }

    @Test
    void readRowsSendsDataAlone_andNothingWhenUnchanged() throws Exception {
        try (RunningServer server = RunningServer.start(RunningServer.config(folder))) {
            for (int i = 1; i <= 50; i++) {
                server.client().callWhenReady(command(insert(i, "p", "" + i, "x")));
            }
            List<CopyPart> parts = read(server, ALL);
            assertThat(rows(parts)).isEqualTo(50);
            LogPosition position =
                    LogPosition.newBuilder()
                            .setTerm(parts.get(0).getHeader().getAppliedTerm())
                            .setIndex(parts.get(0).getHeader().getAppliedIndex())
                            .build();
            ReadRowsRequest since = ALL.toBuilder().setUnchangedSince(position).build();

            List<CopyPart> unchanged = read(server, since);
            assertThat(rows(unchanged)).isZero();
            assertThat(unchanged.get(1).getEnd().getUnchanged()).isTrue();

            server.client().callWhenReady(command(insert(51, "p", "51", "x")));
            List<CopyPart> changed = read(server, since);
            assertThat(rows(changed)).isEqualTo(51);
            assertThat(changed.get(changed.size() - 1).getEnd().getUnchanged()).isFalse();
        }
    }

    @Test
    void readRowsIsRejected_whenRangeOrIntervalIsWrong() throws Exception {
        try (RunningServer server = RunningServer.start(RunningServer.config(folder))) {
            server.client().callWhenReady(command(insert(1, "p", "1", "x")));
            assertRefused(
                    server, ALL.toBuilder().setRangeId(2).build(), Status.Code.FAILED_PRECONDITION);
            assertRefused(
                    server,
                    ALL.toBuilder().clearEndExclusive().build(),
                    Status.Code.INVALID_ARGUMENT);
        }
    }
}
