package io.parterre.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GrowthTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    private static final Key ROW = KeyCodec.tableDirectoryRow(new AccountId(7), "orders");
    private static final Key SPLIT_POINT = KeyCodec.partition(TABLE, "m");

    private static ReplicaCommand write(EntityOperation.Kind... kinds) {
        List<EntityOperation> operations =
                Arrays.stream(kinds)
                        .map(
                                kind ->
                                        new EntityOperation(
                                                kind,
                                                KeyCodec.entity(TABLE, "p", kind.name()),
                                                new byte[0],
                                                OptionalLong.empty()))
                        .toList();
        return new ReplicaCommand.WriteEntities(operations, 1, 1);
    }

    @ParameterizedTest
    @EnumSource(EntityOperation.Kind.class)
    void entityWriteGrows_whenAnyOperationIsNoDelete(EntityOperation.Kind kind) {
        boolean grows = kind != EntityOperation.Kind.DELETE;
        assertThat(Growth.of(write(kind))).isEqualTo(grows);
        if (grows) {
            assertThat(Growth.of(write(EntityOperation.Kind.DELETE, kind))).isTrue();
        }
    }

    @Test
    void newTableGrows() {
        assertThat(Growth.of(new ReplicaCommand.CreateTable(ROW, "Orders", new ObjectId(12))))
                .isTrue();
    }

    @Test
    void nothingGrows_whenTableIsDroppedOrItsSettingsChange() {
        assertThat(
                        List.of(
                                new ReplicaCommand.BeginDeleteTable(ROW),
                                new ReplicaCommand.FinishDeleteTable(ROW, new ObjectId(12)),
                                new ReplicaCommand.FenceScope(KeyCodec.scope(TABLE)),
                                new ReplicaCommand.SetTablePolicies(ROW, List.of())))
                .noneMatch(Growth::of);
    }

    @Test
    void nothingGrows_whenRangeItselfChanges() {
        Generation second = Generation.FIRST.next();
        RangeDescriptor frozen =
                new RangeDescriptor(
                        new RangeId(2),
                        new KeyRange(SPLIT_POINT, Key.LAST),
                        second,
                        List.of(new NodeId("node-1")),
                        Optional.of(new RangeId(1)),
                        Optional.of(Generation.FIRST));
        assertThat(
                        List.of(
                                new ReplicaCommand.Split(second, SPLIT_POINT, new RangeId(2)),
                                new ReplicaCommand.Freeze(second, new RangeId(1), Generation.FIRST),
                                new ReplicaCommand.Thaw(second),
                                new ReplicaCommand.Absorb(
                                        second.next(), Generation.FIRST, frozen, 1)))
                .noneMatch(Growth::of);
    }
}
