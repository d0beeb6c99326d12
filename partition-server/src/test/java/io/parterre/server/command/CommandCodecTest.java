package io.parterre.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Absorb;
import io.parterre.proto.range.ChildStart;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.Freeze;
import io.parterre.proto.range.ResetClock;
import io.parterre.proto.range.Split;
import io.parterre.proto.range.Thaw;
import io.parterre.proto.range.WriteEntities;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.NewerReleaseException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CommandCodecTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(1), new ObjectId(7));

    private static Key key(String partitionKey, String rowKey) {
        return KeyCodec.entity(TABLE, partitionKey, rowKey);
    }

    private static SubmittedCommand inserts(Key... keys) {
        WriteEntities.Builder writes =
                WriteEntities.newBuilder().setEntityBytesMax(1_000).setPropertiesMax(10);
        for (Key key : keys) {
            writes.addOperations(
                    EntityOperation.newBuilder()
                            .setKind(EntityOperation.Kind.INSERT)
                            .setKey(ByteString.copyFrom(key.unsafeBytes())));
        }
        return CommandCodec.fromProto(Command.newBuilder().setWriteEntities(writes).build());
    }

    private static final UnknownFieldSet UNKNOWN =
            UnknownFieldSet.newBuilder()
                    .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                    .build();

    private static void assertRefused(Command.Builder command, String message) {
        assertThatThrownBy(() -> CommandCodec.fromProto(command.build()))
                .isInstanceOf(NewerReleaseException.class)
                .hasMessageStartingWith("command: " + message + " with field 99");
    }

    @Test
    void commandIsRefused_whenFieldOfItIsUnknown() {
        EntityOperation.Builder operation =
                EntityOperation.newBuilder()
                        .setKind(EntityOperation.Kind.INSERT)
                        .setKey(ByteString.copyFrom(key("p", "a").unsafeBytes()));
        WriteEntities.Builder writes =
                WriteEntities.newBuilder()
                        .setEntityBytesMax(1_000)
                        .setPropertiesMax(10)
                        .addOperations(operation);
        Command.Builder command = Command.newBuilder().setWriteEntities(writes);
        assertThat(CommandCodec.fromProto(command.build()).body()).isNotNull();
        assertRefused(command.clone().setUnknownFields(UNKNOWN), "Command");
        assertRefused(
                Command.newBuilder().setWriteEntities(writes.clone().setUnknownFields(UNKNOWN)),
                "WriteEntities");
        assertRefused(
                Command.newBuilder()
                        .setWriteEntities(
                                writes.clone()
                                        .addOperations(
                                                operation.clone().setUnknownFields(UNKNOWN))),
                "EntityOperation");
        assertRefused(
                Command.newBuilder()
                        .setSplit(
                                Split.newBuilder()
                                        .addSplitPoints(
                                                ChildStart.newBuilder().setUnknownFields(UNKNOWN))),
                "ChildStart");
        // A kind of command that is not known is such a field as well.
        assertRefused(Command.newBuilder().setUnknownFields(UNKNOWN), "Command");
    }

    @Test
    void batchIsAccepted_whenRowKeysAreUnordered() {
        for (SubmittedCommand command :
                new SubmittedCommand[] {
                    inserts(key("p", "a"), key("p", "b"), key("p", "c")),
                    inserts(key("p", "c"), key("p", "a"), key("p", "b"))
                }) {
            ReplicaCommand.WriteEntities writes = (ReplicaCommand.WriteEntities) command.body();
            assertThat(writes.operations()).hasSize(3);
        }
    }

    @Test
    void batchIsRejected_whenEntityAppearsTwice() {
        assertThatThrownBy(() -> inserts(key("p", "a"), key("p", "a")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> inserts(key("p", "a"), key("p", "b"), key("p", "a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
    }

    private static ReplicaCommand split(String hex) throws InvalidProtocolBufferException {
        Split split = Split.parseFrom(HexFormat.of().parseHex(hex));
        return CommandCodec.fromProto(Command.newBuilder().setSplit(split).build()).body();
    }

    /** As it stands in logs since ranges were first split. */
    @Test
    void decodeReadsSplit_whenWrittenWithSingleSplitPoint() throws InvalidProtocolBufferException {
        assertThat(split("0802" + "120102" + "1809"))
                .isEqualTo(
                        new ReplicaCommand.Split(
                                new Generation(2), Key.wrap(new byte[] {2}), new RangeId(9)));
    }

    @Test
    void decodeReadsSplit_whenSeveralSplitPointsAreListed() throws InvalidProtocolBufferException {
        String first = "2205" + "0a0102" + "1009";
        String second = "2215" + "0a11" + KeyCodec.scope(TABLE) + "100a";
        assertThat(split("0802" + first + second))
                .isEqualTo(
                        new ReplicaCommand.Split(
                                new Generation(2),
                                List.of(
                                        new ReplicaCommand.SplitPoint(
                                                Key.wrap(new byte[] {2}), new RangeId(9)),
                                        new ReplicaCommand.SplitPoint(
                                                KeyCodec.scope(TABLE), new RangeId(10)))));
    }

    /** What a release takes it for that knows of one split point alone. */
    @Test
    void decodeRejectsSplit_whenSplitPointIsMissing() {
        assertThatThrownBy(() -> split("0802")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void decodeReadsMergeCommandsAndRejectsInconsistentAbsorb() {
        RangeDescriptor right =
                new RangeDescriptor(
                                new RangeId(2),
                                KeyRange.ALL,
                                new Generation(7),
                                List.of(new NodeId("n1")))
                        .frozen(new RangeId(1), new Generation(4));
        Absorb.Builder absorb =
                Absorb.newBuilder()
                        .setGeneration(9)
                        .setLeftGeneration(4)
                        .setRight(DescriptorCodec.toProto(right))
                        .setFreezeIndex(20);
        assertThat(body(Command.newBuilder().setAbsorb(absorb)))
                .isEqualTo(
                        new ReplicaCommand.Absorb(new Generation(9), new Generation(4), right, 20));
        assertThat(
                        body(
                                Command.newBuilder()
                                        .setFreeze(
                                                Freeze.newBuilder()
                                                        .setGeneration(8)
                                                        .setLeftRangeId(1)
                                                        .setLeftGeneration(4))))
                .isEqualTo(
                        new ReplicaCommand.Freeze(
                                new Generation(8), new RangeId(1), new Generation(4)));
        assertThat(body(Command.newBuilder().setThaw(Thaw.newBuilder().setGeneration(9))))
                .isEqualTo(new ReplicaCommand.Thaw(new Generation(9)));
        // Frozen for another generation of the left one, or a generation that is not above both.
        for (Absorb.Builder bad :
                List.of(
                        absorb.clone().setLeftGeneration(5),
                        absorb.clone().setGeneration(8),
                        absorb.clone()
                                .setRight(
                                        DescriptorCodec.toProto(right).toBuilder()
                                                .clearFrozenFor()
                                                .clearFrozenAt()))) {
            assertThatThrownBy(() -> body(Command.newBuilder().setAbsorb(bad)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void clockResetIsRead_unlessItCountsTimestampsAboveWhatItSaw() {
        ResetClock.Builder reset = ResetClock.newBuilder().setSeenTicks(-5).setUsedFromTicks(-7);
        assertThat(body(Command.newBuilder().setResetClock(reset)))
                .isEqualTo(new ReplicaCommand.ResetClock(-5, -7));
        assertThatThrownBy(
                        () -> body(Command.newBuilder().setResetClock(reset.setUsedFromTicks(-4))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("usedFromTicks: -4 (expected: <= -5)");
    }

    private static ReplicaCommand body(Command.Builder command) {
        return CommandCodec.fromProto(command.setSenderId(1).setSequence(1).build()).body();
    }

    @Test
    void batchIsRejected_whenPartitionKeysDiffer() {
        assertThatThrownBy(() -> inserts(key("p", "a"), key("q", "b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("several partitions");
    }
}
