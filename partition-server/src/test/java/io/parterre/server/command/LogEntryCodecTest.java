package io.parterre.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.parterre.directory.AccessPolicy;
import io.parterre.directory.CorsRule;
import io.parterre.directory.ServiceProperties;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.FenceScope;
import io.parterre.proto.range.SetServiceProperties;
import io.parterre.proto.range.SetTablePolicies;
import io.parterre.proto.range.WriteEntities;
import io.parterre.release.NewerReleaseException;
import io.parterre.server.command.ReplicaCommand.BeginDeleteTable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class LogEntryCodecTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

    private static final LogEntry DELETION =
            new LogEntry(
                    100,
                    List.of(
                            new SubmittedCommand(
                                    new CommandId(5, 9),
                                    3,
                                    new BeginDeleteTable(
                                            KeyCodec.tableDirectoryRow(new AccountId(7), "t")))));

    private static LogEntry decode(byte[] entry) {
        return LogEntryCodec.decode(ByteBuffer.wrap(entry));
    }

    private static Command.Builder named(long sequence) {
        return Command.newBuilder().setSenderId(5).setSequence(sequence);
    }

    private static ByteString bytes(Key key) {
        return ByteString.copyFrom(key.unsafeBytes());
    }

    private static EntityOperation.Builder insert(String partition, String row) {
        return EntityOperation.newBuilder()
                .setKind(EntityOperation.Kind.INSERT)
                .setKey(bytes(KeyCodec.entity(TABLE, partition, row)));
    }

    private static Command write(EntityOperation.Builder... operations) {
        WriteEntities.Builder batch = WriteEntities.newBuilder();
        Arrays.stream(operations).forEach(batch::addOperations);
        return named(1).setWriteEntities(batch).build();
    }

    @Test
    void decodeReadsLogEntry_whenWrittenInFirstVersion() {
        // BeginDeleteTable of directory row "t" of account 7, sender 5, sequence 9, settled 3.
        byte[] oldest =
                HexFormat.of()
                        .parseHex(
                                "01"
                                        + "6400000000000000"
                                        + "27"
                                        + "090500000000000000"
                                        + "1009"
                                        + "1803"
                                        + "32180a16"
                                        + "01"
                                        + "0000000000000007"
                                        + "0000000000000001"
                                        + "740001"
                                        + "0001");

        assertThat(decode(oldest)).isEqualTo(DELETION);
    }

    @Test
    void decodeReadsLogEntry_whenWhitenedAsFirstReleased() {
        // The same content, with seed 0x0123456789abcdef.
        byte[] oldest =
                HexFormat.of()
                        .parseHex(
                                "02"
                                        + "efcdab8967452301"
                                        + "f9aa8fa407387a15b4d9a4349b5273d5becc7d9036b4a237"
                                        + "e671474c3319d4a208809414e94c4001724c2a5e4c56bc15");

        assertThat(decode(oldest)).isEqualTo(DELETION);
    }

    @Test
    void decodeRefusesEntryOfNewerRelease_byVersionOrField() {
        byte[] entry = LogEntryCodec.encode(100, List.of(write(insert("p", "a"))));
        byte[] later = entry.clone();
        later[0] = 3;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode(later))
                .isInstanceOf(NewerReleaseException.class)
                .withMessageContaining("version 3");
        Command unknown =
                named(1).setUnknownFields(
                                UnknownFieldSet.newBuilder()
                                        .addField(
                                                99,
                                                UnknownFieldSet.Field.newBuilder()
                                                        .addVarint(1)
                                                        .build())
                                        .build())
                        .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode(LogEntryCodec.encode(1, List.of(unknown))))
                .isInstanceOf(NewerReleaseException.class);
    }

    @Test
    void decodeReturnsLogEntryThatEncodeWrote() {
        Command first = write(insert("p", "1"), insert("p", "2"));
        Command second =
                named(2).setSettledBelow(1)
                        .setFenceScope(
                                FenceScope.newBuilder().setScope(bytes(KeyCodec.scope(TABLE))))
                        .build();

        byte[] plain = LogEntryCodec.encode(-7, List.of(first, second));
        byte[] whitened = LogEntryCodec.encodeWhitened(-7, List.of(first, second), 4711);
        LogEntry entry = decode(plain);

        int commandBytes = LogEntryCodec.sizeBytes(first) + LogEntryCodec.sizeBytes(second);
        assertThat(plain).hasSize(9 + commandBytes);
        assertThat(whitened).hasSize(17 + commandBytes);
        assertThat(entry.stampTicks()).isEqualTo(-7);
        assertThat(entry.commands()).hasSize(2);
        assertThat(entry.commands().get(1))
                .isEqualTo(
                        new SubmittedCommand(
                                new CommandId(5, 2),
                                1,
                                new ReplicaCommand.FenceScope(KeyCodec.scope(TABLE))));
        assertThat(decode(whitened)).isEqualTo(entry);
        assertThat(LogEntryCodec.plain(whitened)).isEqualTo(plain);
        assertThat(LogEntryCodec.plain(plain)).isEqualTo(plain);
    }

    @Test
    void decodeLeavesEntryUnchanged_whenWhitened() {
        byte[] entry = LogEntryCodec.encodeWhitened(1, List.of(write(insert("p", "1"))), 4711);
        ByteBuffer around =
                ByteBuffer.allocate(entry.length + 20).position(10).put(entry).flip().position(10);

        assertThat(LogEntryCodec.decode(around)).isEqualTo(decode(entry));
        assertThat(LogEntryCodec.decode(around.asReadOnlyBuffer())).isEqualTo(decode(entry));
        assertThat(around.remaining()).isEqualTo(entry.length);
    }

    @Test
    void decodeRejectsLogEntry_whenVersionIsNewerOrTruncated() {
        List<Command> commands = List.of(write(insert("p", "1")));
        for (byte[] whole :
                List.of(
                        LogEntryCodec.encode(1, commands),
                        LogEntryCodec.encodeWhitened(1, commands, 4711))) {
            byte[] later = whole.clone();
            later[0] = 3;
            assertThatIllegalArgumentException().isThrownBy(() -> decode(later));
            int empty = whole[0] == 1 ? 9 : 17;
            for (int length = 0; length < whole.length; length++) {
                byte[] splitPoint = Arrays.copyOf(whole, length);
                if (length != empty) {
                    assertThatIllegalArgumentException().isThrownBy(() -> decode(splitPoint));
                }
            }
        }
    }

    private static void isRefused(Command command) {
        assertThatIllegalArgumentException().isThrownBy(() -> CommandCodec.fromProto(command));
    }

    @Test
    void commandIsRejected_whenFieldsAreMalformedOrOverLimits() {
        isRefused(named(1).build());
        isRefused(write());
        isRefused(write(insert("p", "1"), insert("q", "1")));
        isRefused(write(insert("p", "1"), insert("p", "1")));
        isRefused(write(insert("p", "1").setKind(EntityOperation.Kind.KIND_UNSPECIFIED)));
        isRefused(write(insert("p", "1").setKey(bytes(KeyCodec.partition(TABLE, "p")))));
        isRefused(write(insert("p", "1").setKey(bytes(directoryRow()))));
        isRefused(write(insert("p", "1").setBlock(ByteString.copyFrom(new byte[] {1, 9}))));
        isRefused(write(insert("p", "1")).toBuilder().setSettledBelow(2).build());
        isRefused(
                named(1).setFenceScope(
                                FenceScope.newBuilder()
                                        .setScope(bytes(KeyCodec.partition(TABLE, "p"))))
                        .build());
        isRefused(policies(settingsRow(), 1));
        isRefused(policies(directoryRow(), 6));
        isRefused(policyNamed(""));
        isRefused(policyNamed("x".repeat(65)));
        isRefused(properties(directoryRow(), 1));
        isRefused(properties(settingsRow(), 6));
        EntityOperation.Builder[] many = new EntityOperation.Builder[101];
        Arrays.setAll(many, i -> insert("p", "" + i));
        isRefused(write(many));
    }

    private static Key directoryRow() {
        return KeyCodec.tableDirectoryRow(new AccountId(7), "t");
    }

    private static Key settingsRow() {
        return KeyCodec.servicePropertiesRow(new AccountId(7), "table");
    }

    private static Command policies(Key key, int count) {
        SetTablePolicies.Builder command = SetTablePolicies.newBuilder().setKey(bytes(key));
        for (int i = 0; i < count; i++) {
            command.getPoliciesBuilder().addPoliciesBuilder().setId("p" + i);
        }
        return named(1).setSetTablePolicies(command).build();
    }

    private static Command policyNamed(String id) {
        SetTablePolicies.Builder command =
                SetTablePolicies.newBuilder().setKey(bytes(directoryRow()));
        command.getPoliciesBuilder().addPoliciesBuilder().setId(id);
        return named(1).setSetTablePolicies(command).build();
    }

    private static Command properties(Key key, int rules) {
        SetServiceProperties.Builder command = SetServiceProperties.newBuilder().setKey(bytes(key));
        for (int i = 0; i < rules; i++) {
            command.getChangeBuilder().getCorsBuilder().addRulesBuilder().addAllowedMethods("GET");
        }
        return named(1).setSetServiceProperties(command).build();
    }

    @Test
    void decodeReadsTablePoliciesAndServiceProperties() {
        assertThat(CommandCodec.fromProto(policies(directoryRow(), 1)).body())
                .isEqualTo(
                        new ReplicaCommand.SetTablePolicies(
                                directoryRow(),
                                List.of(
                                        new AccessPolicy(
                                                "p0",
                                                OptionalLong.empty(),
                                                OptionalLong.empty(),
                                                Optional.empty()))));
        assertThat(CommandCodec.fromProto(properties(settingsRow(), 1)).body())
                .isEqualTo(
                        new ReplicaCommand.SetServiceProperties(
                                settingsRow(),
                                new ServiceProperties.Change(
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.of(
                                                List.of(
                                                        new CorsRule(
                                                                List.of("GET"),
                                                                List.of(),
                                                                List.of(),
                                                                List.of(),
                                                                0))))));
    }

    @Test
    void batchIsAccepted_withHundredOperations() {
        EntityOperation.Builder[] many = new EntityOperation.Builder[100];
        byte[] block =
                EntityCodec.encodeBlock(List.of(new Property("N", new EdmValue.Int32Value(1))));
        Arrays.setAll(many, i -> insert("p", "" + i).setBlock(ByteString.copyFrom(block)));

        assertThat(CommandCodec.fromProto(write(many)).body())
                .isInstanceOf(ReplicaCommand.WriteEntities.class);
    }
}
