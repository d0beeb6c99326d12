package io.parterre.server.raft;

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
import io.parterre.raftlog.LogTail;
import io.parterre.release.ClusterLevel;
import io.parterre.release.FeatureLevel;
import io.parterre.server.propose.EntryWriter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.Test;

/** What a start makes of a log whose last entry is broken, where a client chose its bytes. */
final class EntryTailTest {
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final int TERM = 2;
    private static final FeatureLevel BEFORE = new FeatureLevel(2);
    private static final FeatureLevel SINCE = new FeatureLevel(3);

    private static byte[] entry(FeatureLevel level, int index, byte[] binary) {
        byte[] block =
                EntityCodec.encodeBlock(
                        List.of(new Property("Bytes", new EdmValue.BinaryValue(binary))));
        byte[] key =
                KeyCodec.entity(
                                Scope.ofTable(new AccountId(7), new ObjectId(11)),
                                "p",
                                Integer.toString(index))
                        .unsafeBytes();
        Command command =
                Command.newBuilder()
                        .setSenderId(1)
                        .setSequence(index)
                        .setWriteEntities(
                                WriteEntities.newBuilder()
                                        .addOperations(
                                                EntityOperation.newBuilder()
                                                        .setKind(EntityOperation.Kind.INSERT)
                                                        .setKey(ByteString.copyFrom(key))
                                                        .setBlock(ByteString.copyFrom(block))))
                        .build();
        EntryWriter writer = new EntryWriter(new ClusterLevel(level), new Random(index));
        return Frames.of(
                LogEntryProto.newBuilder()
                        .setTerm(TERM)
                        .setIndex(index)
                        .setStateMachineLogEntry(
                                StateMachineLogEntryProto.newBuilder()
                                        .setLogData(
                                                UnsafeByteOperations.unsafeWrap(
                                                        writer.write(index, List.of(command)))))
                        .build());
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] before(FeatureLevel level) {
        return join(HEADER, entry(level, 1, new byte[50]), entry(level, 2, new byte[300]));
    }

    /** A log with a last entry that is zeros for the most part, and has changed elsewhere. */
    private static LogTail afterDamage(FeatureLevel level) {
        byte[] before = before(level);
        byte[] last = entry(level, 3, new byte[4_096]);
        last[40] ^= 1;
        return LogTail.of(join(before, last, new byte[10_000]));
    }

    /** A log with the first part of an entry that was to hold what passes for the next. */
    private static LogTail afterPowerLoss(FeatureLevel level) {
        byte[] forged = entry(level, 4, new byte[20]);
        byte[] last = entry(level, 3, join(new byte[700], forged, new byte[5_000]));
        return LogTail.of(join(before(level), Arrays.copyOf(last, 3_000), new byte[10_000]));
    }

    @Test
    void logTailIsCorrupt_whenDamagedEntryHoldsZeroFilledBinary() {
        assertThat(afterDamage(BEFORE))
                .as("what the whitening is for")
                .isInstanceOf(LogTail.Torn.class);
        assertThat(afterDamage(SINCE))
                .isEqualTo(
                        new LogTail.Damaged(
                                before(SINCE).length,
                                "it was written in full and reads differently now"));
    }

    @Test
    void logTailIsTorn_whenTornEntryHoldsForgedEntry() {
        assertThat(afterPowerLoss(BEFORE))
                .as("what the whitening is for")
                .isInstanceOf(LogTail.Damaged.class);
        assertThat(afterPowerLoss(SINCE)).isEqualTo(new LogTail.Torn(before(SINCE).length));
    }
}
