package io.parterre.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.WriteEntities;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.constraints.IntRange;

/** Whatever a client sends, its bytes are not found in a whitened entry. */
final class LogEntryCodecProperties {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

    /** Far less than a sector. */
    private static final int ZEROS_MAX = 12;

    private static List<Command> insert(byte[] binary) {
        byte[] block =
                EntityCodec.encodeBlock(
                        List.of(new Property("Bytes", new EdmValue.BinaryValue(binary))));
        WriteEntities batch =
                WriteEntities.newBuilder()
                        .addOperations(
                                EntityOperation.newBuilder()
                                        .setKind(EntityOperation.Kind.INSERT)
                                        .setKey(
                                                ByteString.copyFrom(
                                                        KeyCodec.entity(TABLE, "p", "r")
                                                                .unsafeBytes()))
                                        .setBlock(ByteString.copyFrom(block)))
                        .build();
        return List.of(
                Command.newBuilder().setSenderId(1).setSequence(1).setWriteEntities(batch).build());
    }

    private static int longestRunOfZeros(byte[] bytes) {
        int longest = 0;
        int run = 0;
        for (byte each : bytes) {
            run = each == 0 ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    private static boolean holds(byte[] bytes, byte[] searched) {
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .contains(new String(searched, StandardCharsets.ISO_8859_1));
    }

    @net.jqwik.api.Property(tries = 500)
    void whitenedEntryHasNoRunOfZeros_whenBinaryIsZeroFilled(
            @ForAll long seed, @ForAll @IntRange(min = 512, max = 65_536) int length) {
        List<Command> commands = insert(new byte[length]);

        assertThat(longestRunOfZeros(LogEntryCodec.encode(1, commands)))
                .isGreaterThanOrEqualTo(length);
        assertThat(longestRunOfZeros(LogEntryCodec.encodeWhitened(1, commands, seed)))
                .isLessThan(ZEROS_MAX);
    }

    @net.jqwik.api.Property(tries = 500)
    void whitenedEntryDoesNotHoldBytes_thatWerePlantedInBinary(
            @ForAll long seed,
            @ForAll byte[] around,
            @ForAll @IntRange(min = 12, max = 2_000) int length) {
        byte[] planted = new byte[length];
        for (int i = 0; i < length; i++) {
            planted[i] = (byte) (length * 31 + i);
        }
        byte[] binary =
                ByteBuffer.allocate(2 * around.length + length)
                        .put(around)
                        .put(planted)
                        .put(around)
                        .array();
        List<Command> commands = insert(binary);

        assertThat(holds(LogEntryCodec.encode(1, commands), planted)).isTrue();
        assertThat(holds(LogEntryCodec.encodeWhitened(1, commands, seed), planted)).isFalse();
    }

    @net.jqwik.api.Property(tries = 500)
    void decodeReturnsWhitenedEntry_whateverItHolds(
            @ForAll long seed, @ForAll long stampTicks, @ForAll byte[] binary) {
        List<Command> commands = insert(binary);
        LogEntry plain =
                LogEntryCodec.decode(ByteBuffer.wrap(LogEntryCodec.encode(stampTicks, commands)));

        byte[] whitened = LogEntryCodec.encodeWhitened(stampTicks, commands, seed);

        assertThat(LogEntryCodec.decode(ByteBuffer.wrap(whitened)))
                .usingRecursiveComparison()
                .isEqualTo(plain);
        assertThat(LogEntryCodec.plain(whitened))
                .isEqualTo(LogEntryCodec.encode(stampTicks, commands));
    }
}
