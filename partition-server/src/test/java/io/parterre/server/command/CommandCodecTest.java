package io.parterre.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.WriteEntities;
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

    @Test
    void operationsOfOnePartitionComeInAnyOrder() {
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
    void anEntityTwiceIsRefusedWhereverItStands() {
        assertThatThrownBy(() -> inserts(key("p", "a"), key("p", "a")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> inserts(key("p", "a"), key("p", "b"), key("p", "a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void severalPartitionsAreRefused() {
        assertThatThrownBy(() -> inserts(key("p", "a"), key("q", "b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("several partitions");
    }
}
