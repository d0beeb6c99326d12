package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.entity.ByteSink;
import io.parterre.entity.EntityCodec;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.node.RestoreRowsRequest;
import io.parterre.proto.node.RestoreRowsResponse;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.Outcome;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposalResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is refused before it gets into a log. */
class RowRestoresTest {
    private static final ByteString ROWS = row();

    private final ClusterLevel level = new ClusterLevel(new FeatureLevel(4));
    private final List<Proposal> proposed = new ArrayList<>();
    private final RowRestores restores = new RowRestores(rangeId -> proposed::add, level, 9);
    private final List<RestoreRowsResponse> answers = new ArrayList<>();
    private final List<Status> refusals = new ArrayList<>();

    private static ByteString row() {
        Scope table = Scope.ofTable(new AccountId(7), new ObjectId(11));
        ByteSink row = new ByteSink(100);
        row.writeBlob(KeyCodec.entity(table, "p", "r").toBytes());
        row.writeBlob(EntityCodec.encodeValue(70, new byte[0]));
        return ByteString.copyFrom(row.toBytes());
    }

    private void put(int crc) {
        RestoreRowsRequest request =
                RestoreRowsRequest.newBuilder().setRangeId(1).setRows(ROWS).setCrc32C(crc).build();
        restores.put(
                request,
                new StreamObserver<>() {
                    @Override
                    public void onNext(RestoreRowsResponse answer) {
                        answers.add(answer);
                    }

                    @Override
                    public void onError(Throwable refusal) {
                        refusals.add(Status.fromThrowable(refusal));
                    }

                    @Override
                    public void onCompleted() {}
                });
    }

    private static int crc() {
        return CopyStream.crc(ROWS.toByteArray());
    }

    @Test
    void rowsAreRefused_belowTheirFeatureLevel() {
        put(crc());
        assertThat(refusals)
                .singleElement()
                .satisfies(
                        refusal -> {
                            assertThat(refusal.getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
                            assertThat(refusal.getDescription()).contains("expected: >= 5");
                        });
        assertThat(proposed).isEmpty();
        level.raise(new FeatureLevel(5));
        put(crc());
        assertThat(proposed).hasSize(1);
        assertThat(proposed.get(0).message().getRestoreRows().getRows()).isEqualTo(ROWS);
    }

    @Test
    void rowsAreRefused_whenTheirCrcDiffers() {
        level.raise(new FeatureLevel(5));
        put(crc() + 1);
        assertThat(refusals)
                .extracting(Status::getCode)
                .containsExactly(Status.Code.INVALID_ARGUMENT);
        assertThat(proposed).isEmpty();
    }

    @Test
    void answerCountsRows_whenTheyWereApplied() {
        level.raise(new FeatureLevel(5));
        put(crc());
        assertThat(answers).isEmpty();
        Outcome restored = new Outcome.RowsRestored(3, 2);
        proposed.get(0).done().accept(new ProposalResult.Applied(restored));
        assertThat(answers)
                .containsExactly(RestoreRowsResponse.newBuilder().setThere(3).setKept(2).build());
    }
}
