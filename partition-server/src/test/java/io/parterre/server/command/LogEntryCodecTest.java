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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class LogEntryCodecTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

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

        LogEntry entry = LogEntryCodec.decode(oldest);

        assertThat(entry)
                .isEqualTo(
                        new LogEntry(
                                100,
                                List.of(
                                        new SubmittedCommand(
                                                new CommandId(5, 9),
                                                3,
                                                new BeginDeleteTable(
                                                        KeyCodec.tableDirectoryRow(
                                                                new AccountId(7), "t"))))));
    }

    @Test
    void decodeRefusesEntryOfNewerRelease_byVersionOrField() {
        byte[] entry = LogEntryCodec.encode(100, List.of(write(insert("p", "a"))));
        byte[] later = entry.clone();
        later[0] = 2;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LogEntryCodec.decode(later))
                .isInstanceOf(NewerReleaseException.class)
                .withMessageContaining("version 2");
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
                .isThrownBy(() -> LogEntryCodec.decode(LogEntryCodec.encode(1, List.of(unknown))))
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

        byte[] bytes = LogEntryCodec.encode(-7, List.of(first, second));
        LogEntry entry = LogEntryCodec.decode(bytes);

        assertThat(bytes)
                .hasSize(9 + LogEntryCodec.sizeBytes(first) + LogEntryCodec.sizeBytes(second));
        assertThat(entry.stampTicks()).isEqualTo(-7);
        assertThat(entry.commands()).hasSize(2);
        assertThat(entry.commands().get(1))
                .isEqualTo(
                        new SubmittedCommand(
                                new CommandId(5, 2),
                                1,
                                new ReplicaCommand.FenceScope(KeyCodec.scope(TABLE))));
    }

    @Test
    void decodeRejectsLogEntry_whenVersionIsNewerOrTruncated() {
        byte[] whole = LogEntryCodec.encode(1, List.of(write(insert("p", "1"))));
        byte[] later = whole.clone();
        later[0] = 2;

        assertThatIllegalArgumentException().isThrownBy(() -> LogEntryCodec.decode(later));
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException().isThrownBy(() -> LogEntryCodec.decode(cut));
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
