package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.batch;
import static io.parterre.server.apply.AppliedRange.operation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import io.parterre.entity.ByteSink;
import io.parterre.entity.EntityCodec;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.proto.range.Command;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.CommandKeys;
import io.parterre.server.command.EntityOperation.Kind;
import io.parterre.server.command.ReplicaCommand.FenceScope;
import io.parterre.server.command.ReplicaCommand.RestoreRows;
import io.parterre.server.command.ReplicaCommand.RestoredRow;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RestoreApplyTest {
    private final AppliedRange range = new AppliedRange();

    private static Key key(String row) {
        return KeyCodec.entity(AppliedRange.TABLE, "p", row);
    }

    private static RestoredRow row(String row, long ticks) {
        return new RestoredRow(key(row), EntityCodec.encodeValue(ticks, new byte[0]));
    }

    private static RestoreRows rows(RestoredRow... rows) {
        return new RestoreRows(List.of(rows));
    }

    @Test
    void restoredEntityKeepsItsTimestamp() {
        assertThat(range.apply(1_000, rows(row("a", 70), row("b", 80))))
                .containsExactly(new Outcome.RowsRestored(2, 0));
        assertThat(EntityCodec.timestampTicks(range.view.rows.get(key("a")))).isEqualTo(70);
        assertThat(EntityCodec.timestampTicks(range.view.rows.get(key("b")))).isEqualTo(80);
    }

    @Test
    void restoreChangesNothing_whenRepeated() {
        range.apply(1_000, rows(row("a", 70)));
        assertThat(range.apply(1_001, rows(row("a", 70))))
                .containsExactly(new Outcome.RowsRestored(1, 0));
    }

    @Test
    void restoreKeepsStoredEntity_whenItDiffers() {
        range.apply(1_000, rows(row("a", 70)));
        assertThat(range.apply(1_001, rows(row("a", 90), row("b", 90))))
                .containsExactly(new Outcome.RowsRestored(1, 1));
        assertThat(EntityCodec.timestampTicks(range.view.rows.get(key("a")))).isEqualTo(70);
    }

    /** The backup may come of a cluster whose clock was ahead. */
    @Test
    void timestampIsNotGivenAgain_whenRestoredOneWasLater() {
        range.apply(1_000, rows(row("a", 5_000)));
        range.restart();
        assertThat(range.apply(1_001, batch(operation(Kind.INSERT, "b"))))
                .containsExactly(new Outcome.Written(new long[] {5_001}));
    }

    @Test
    void restoreIsRefused_whenTableIsFenced() {
        range.apply(1_000, new FenceScope(KeyCodec.scope(AppliedRange.TABLE)));
        assertThat(range.apply(1_001, rows(row("a", 70))))
                .containsExactly(new Outcome.ScopeFenced());
        assertThat(range.view.rows).isEmpty();
    }

    @Test
    void outcomeOfRestoreIsReadBack_fromItsRow() {
        List<OutcomeRowCodec.Line> lines =
                List.of(
                        new OutcomeRowCodec.Line(
                                new CommandId(5, 1), new Outcome.RowsRestored(7, 2)));
        assertThat(OutcomeRowCodec.decode(OutcomeRowCodec.encode(9, lines)).lines())
                .isEqualTo(lines);
    }

    private static RestoreRows decoded(Key key, byte[] value) {
        ByteSink page = new ByteSink(100);
        page.writeBlob(key.unsafeBytes());
        page.writeBlob(value);
        Command.Builder command = Command.newBuilder();
        command.getRestoreRowsBuilder().setRows(ByteString.copyFrom(page.toBytes()));
        return (RestoreRows) CommandCodec.fromProto(command.build()).body();
    }

    @Test
    void restoreIsRejected_whenRowCouldNotBeReadAfterwards() {
        byte[] good = EntityCodec.encodeValue(70, new byte[0]);
        assertThat(decoded(key("a"), good).rows()).hasSize(1);
        assertThatIllegalArgumentException().isThrownBy(() -> decoded(key("a"), new byte[] {9, 9}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decoded(Key.wrap(new byte[] {2, 3}), good));
        assertThatIllegalArgumentException().isThrownBy(() -> rows(row("b", 70), row("a", 70)));
    }

    @Test
    void restoreIsRejected_whenItComesFromFrontEnd() {
        assertThatIllegalArgumentException().isThrownBy(() -> CommandKeys.of(rows(row("a", 70))));
    }
}
