package io.parterre.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class CommandKeysTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    private static final Key SPLIT_POINT = KeyCodec.partition(TABLE, "m");
    private static final KeyRange LEFT = new KeyRange(Key.FIRST, SPLIT_POINT);
    private static final KeyRange RIGHT = new KeyRange(SPLIT_POINT, Key.LAST);

    private static ReplicaCommand write(String partition, String... rows) {
        return new ReplicaCommand.WriteEntities(
                Arrays.stream(rows)
                        .map(
                                row ->
                                        new EntityOperation(
                                                EntityOperation.Kind.DELETE,
                                                KeyCodec.entity(TABLE, partition, row),
                                                new byte[0],
                                                OptionalLong.empty()))
                        .toList(),
                1,
                1);
    }

    private static boolean has(KeyRange bounds, ReplicaCommand command) {
        return CommandKeys.belongs(command, bounds);
    }

    @Test
    void batchBelongsToRange_whenRangeHoldsItsPartition() {
        assertThat(CommandKeys.of(write("a", "2", "1", "3")))
                .isEqualTo(
                        new KeyRange(
                                KeyCodec.entity(TABLE, "a", "1"),
                                KeyCodec.entity(TABLE, "a", "3").next()));
        assertThat(has(LEFT, write("a", "2", "1", "3"))).isTrue();
        assertThat(has(RIGHT, write("a", "2", "1", "3"))).isFalse();
        assertThat(has(RIGHT, write("m", "1"))).isTrue();
    }

    @Test
    void tableFenceBelongsToRange_whenRangeOverlapsTheTable() {
        ReplicaCommand fence = new ReplicaCommand.FenceScope(KeyCodec.scope(TABLE));
        ReplicaCommand other =
                new ReplicaCommand.FenceScope(
                        KeyCodec.scope(Scope.ofTable(new AccountId(7), new ObjectId(12))));

        assertThat(has(LEFT, fence)).isTrue();
        assertThat(has(RIGHT, fence)).isTrue();
        assertThat(has(LEFT, other)).isFalse();
    }
}
