package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.proto.range.Projection;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.ReadRow;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SameReadsTest {
    private static RangeRequest.Builder read(long id, String key) {
        return RangeRequest.newBuilder()
                .setRequestId(id)
                .setRangeId(1)
                .setGeneration(3)
                .setReadRow(ReadRow.newBuilder().setKey(ByteString.copyFromUtf8(key)));
    }

    private static List<List<Long>> groups(RangeRequest.Builder... reads) {
        List<RangeRequest> built =
                List.of(reads).stream().map(RangeRequest.Builder::build).toList();
        return SameReads.of(built, Function.identity()).stream()
                .map(group -> group.stream().map(RangeRequest::getRequestId).toList())
                .toList();
    }

    @Test
    void identicalReadsAreGrouped_whenOnlyDeadlinesDiffer() {
        assertThat(groups(read(1, "a"))).containsExactly(List.of(1L));
        assertThat(groups(read(1, "a"), read(2, "b"), read(3, "a").setTimeLeftMillis(7)))
                .containsExactly(List.of(1L, 3L), List.of(2L));
    }

    @Test
    void readsAreNotGrouped_whenAnswersCouldDiffer() {
        RangeRequest.Builder some = read(2, "a");
        some.getReadRowBuilder().setProjection(Projection.newBuilder().addNames("x"));
        RangeRequest.Builder none = read(3, "a");
        none.getReadRowBuilder().setProjection(Projection.getDefaultInstance());
        assertThat(
                        groups(
                                read(1, "a"),
                                some,
                                none,
                                read(4, "a").setFollowerRead(true),
                                read(5, "a").setGeneration(4),
                                read(6, "a").setRangeId(2)))
                .hasSize(6);
    }
}
