package io.parterre.server;

import com.google.protobuf.ByteString;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.CreateTable;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.FenceScope;
import io.parterre.proto.range.WriteEntities;
import java.util.List;

/** Commands as a front end would send them. */
final class Commands {
    static final AccountId ACCOUNT = new AccountId(7);
    static final Scope TABLE = Scope.ofTable(ACCOUNT, new ObjectId(11));
    static final long SENDER = 99;

    private Commands() {}

    static Key key(String partition, String row) {
        return KeyCodec.entity(TABLE, partition, row);
    }

    static ByteString bytes(Key key) {
        return ByteString.copyFrom(key.unsafeBytes());
    }

    static byte[] block(String text) {
        return EntityCodec.encodeBlock(
                List.of(new Property("Text", new EdmValue.StringValue(text))));
    }

    static Command.Builder write(
            long sequence, EntityOperation.Kind kind, String partition, String row, String text) {
        return write(sequence, kind, partition, row, block(text));
    }

    private static Command.Builder write(
            long sequence, EntityOperation.Kind kind, String partition, String row, byte[] block) {
        return named(sequence)
                .setWriteEntities(
                        WriteEntities.newBuilder()
                                .setEntityBytesMax(1 << 20)
                                .setPropertiesMax(252)
                                .addOperations(
                                        EntityOperation.newBuilder()
                                                .setKind(kind)
                                                .setKey(bytes(key(partition, row)))
                                                .setBlock(ByteString.copyFrom(block))));
    }

    static Command.Builder insert(long sequence, String partition, String row, String text) {
        return write(sequence, EntityOperation.Kind.INSERT, partition, row, text);
    }

    static Command.Builder insertBinary(
            long sequence, String partition, String row, byte[] binary) {
        return write(
                sequence,
                EntityOperation.Kind.INSERT,
                partition,
                row,
                EntityCodec.encodeBlock(
                        List.of(new Property("Bytes", new EdmValue.BinaryValue(binary)))));
    }

    /** Sets one small property and leaves the others. */
    static Command.Builder mergeFlag(long sequence, String partition, String row, int value) {
        byte[] flag =
                EntityCodec.encodeBlock(
                        List.of(new Property("Flag", new EdmValue.Int32Value(value))));
        return named(sequence)
                .setWriteEntities(
                        WriteEntities.newBuilder()
                                .setEntityBytesMax(1 << 20)
                                .setPropertiesMax(252)
                                .addOperations(
                                        EntityOperation.newBuilder()
                                                .setKind(EntityOperation.Kind.MERGE)
                                                .setKey(bytes(key(partition, row)))
                                                .setBlock(ByteString.copyFrom(flag))));
    }

    static Command.Builder createTable(long sequence, String name, long tableId) {
        return named(sequence)
                .setCreateTable(
                        CreateTable.newBuilder()
                                .setKey(bytes(directoryKey(name)))
                                .setName(name)
                                .setTableId(tableId));
    }

    static Key directoryKey(String name) {
        return KeyCodec.tableDirectoryRow(ACCOUNT, name.toLowerCase(java.util.Locale.ROOT));
    }

    static Command.Builder fence(long sequence, Scope scope) {
        return named(sequence)
                .setFenceScope(FenceScope.newBuilder().setScope(bytes(KeyCodec.scope(scope))));
    }

    private static Command.Builder named(long sequence) {
        return Command.newBuilder().setSenderId(SENDER).setSequence(sequence);
    }
}
