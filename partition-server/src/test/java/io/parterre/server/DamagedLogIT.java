package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.insertBinary;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.raftlog.DamagedLogException;
import io.parterre.raftlog.LogFolder;
import io.parterre.server.raft.Frames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.MetadataProto;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node does with a log that a power loss or a bad disk has left. */
final class DamagedLogIT {
    private static final KeyRange TABLE = KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE));
    private static final int ENTRY_BYTES_MIN = 3_000;

    @TempDir Path folder;
    private int sequence;

    private void write(RangeClient client) throws Exception {
        sequence++;
        write(client, insert(sequence, "a", "" + sequence, "x".repeat(ENTRY_BYTES_MIN)));
    }

    private void writeBinary(RangeClient client, byte[] binary) throws Exception {
        sequence++;
        write(client, insertBinary(sequence, "a", "" + sequence, binary));
    }

    private static void write(RangeClient client, Command.Builder write) throws Exception {
        assertThat(client.callWhenReady(command(write)).getOutcome().hasWritten()).isTrue();
    }

    private static int rows(RangeClient client) throws Exception {
        client.callWhenReady(read(key("a", "1")));
        return client.callWhenReady(scan(TABLE, 1_000)).getScanPage().getRowCount();
    }

    private Path segment(String kind) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("raft"))) {
            return files.filter(file -> file.getFileName().toString().matches(kind))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    /** Where the last entry ends; what was preallocated behind it is zeros. */
    private static int end(byte[] segment) {
        int end = segment.length;
        while (segment[end - 1] == 0) {
            end--;
        }
        return end;
    }

    /** As if the power had failed before the last write was synced. */
    private static List<UnaryOperator<byte[]>> tornWrites() {
        return List.of(
                segment -> Arrays.copyOf(segment, end(segment) - 1),
                segment -> Arrays.copyOf(segment, end(segment) - ENTRY_BYTES_MIN / 2),
                segment -> lacking(segment, 600, 0),
                segment -> lacking(segment, 2_000, 700),
                segment -> lacking(segment, ENTRY_BYTES_MIN, 1_000),
                DamagedLogIT::garbageBehind);
    }

    /** Without a part of its last entry, counted from the entry's end. */
    private static byte[] lacking(byte[] segment, int from, int to) {
        byte[] changed = segment.clone();
        int end = end(segment);
        Arrays.fill(changed, end - from, end - to, (byte) 0);
        return changed;
    }

    private static byte[] garbageBehind(byte[] segment) {
        byte[] changed = Arrays.copyOf(segment, end(segment) + 5_000);
        byte[] garbage = new byte[5_000];
        new Random(3).nextBytes(garbage);
        System.arraycopy(garbage, 0, changed, end(segment), garbage.length);
        return changed;
    }

    @Test
    void startTruncatesOnlyTornTailWrite_afterPowerLoss() throws Exception {
        int kept = 0;
        for (UnaryOperator<byte[]> tear : tornWrites()) {
            RunningServer running = RunningServer.start(folder);
            write(running.client());
            assertThat(rows(running.client())).isEqualTo(kept + 1);
            kept++;
            write(running.client());
            running.kill();
            Path open = segment("log_inprogress_.*");
            byte[] whole = Files.readAllBytes(open);
            byte[] torn = tear.apply(whole);
            Files.write(open, torn);

            RunningServer again = RunningServer.start(folder);
            // Garbage came behind it.
            boolean lastIsWhole =
                    Arrays.equals(torn, 0, Math.min(end(whole), torn.length), whole, 0, end(whole));
            kept += lastIsWhole ? 1 : 0;
            assertThat(rows(again.client())).isEqualTo(kept);
            write(again.client());
            kept++;
            again.kill();
        }
        try (RunningServer running = RunningServer.start(folder)) {
            assertThat(rows(running.client())).isEqualTo(kept);
        }
    }

    @Test
    void startFailsNamingSegment_whenBitFlipsInOpenSegment() throws Exception {
        RunningServer running = RunningServer.start(folder);
        for (int i = 0; i < 5; i++) {
            write(running.client());
        }
        running.kill();
        Path open = segment("log_inprogress_.*");
        byte[] flipped = Files.readAllBytes(open);
        flipped[end(flipped) - 3 * ENTRY_BYTES_MIN] ^= 4;

        startIsRefused(open, flipped);
    }

    @Test
    void startFailsNamingSegment_whenBitFlipsInClosedSegment() throws Exception {
        RunningServer running = RunningServer.start(folder);
        for (int i = 1; i <= 20; i++) {
            assertThat(
                            running.client()
                                    .callWhenReady(
                                            command(insert(i, "a", "" + i, "x".repeat(500_000))))
                                    .getOutcome()
                                    .hasWritten())
                    .isTrue();
        }
        running.kill();
        Path closed = segment("log_11-\\d+");
        byte[] flipped = Files.readAllBytes(closed);
        flipped[flipped.length - 100_000] ^= 4;

        startIsRefused(closed, flipped);
    }

    /** Zeros look like sectors that were not written. */
    @Test
    void startFailsNamingSegment_whenZeroFilledLastEntryIsDamaged() throws Exception {
        RunningServer running = RunningServer.start(folder);
        write(running.client());
        writeBinary(running.client(), new byte[4_096]);
        running.kill();
        Path open = segment("log_inprogress_.*");
        byte[] flipped = Files.readAllBytes(open);
        flipped[end(flipped) - 3] ^= 4;

        startIsRefused(open, flipped);
    }

    /** A whole entry behind an unreadable one says that this one was written in full. */
    @Test
    void startTruncatesTornWrite_whenItHoldsForgedEntry() throws Exception {
        RunningServer running = RunningServer.start(folder);
        write(running.client());
        Path open = segment("log_inprogress_.*");
        LogFolder log = new LogFolder(open.getParent());
        List<LogEntryProto> configurations = log.configurationsAfter(-1);
        byte[] forged =
                Frames.of(
                        LogEntryProto.newBuilder()
                                .setTerm(configurations.get(configurations.size() - 1).getTerm())
                                .setIndex(log.lastIndex().orElseThrow() + 2)
                                .setMetadataEntry(MetadataProto.getDefaultInstance())
                                .build());
        byte[] binary = new byte[9_000];
        System.arraycopy(forged, 0, binary, 3_000, forged.length);
        writeBinary(running.client(), binary);
        running.kill();
        byte[] whole = Files.readAllBytes(open);
        Files.write(open, Arrays.copyOf(whole, end(whole) - 3_000));

        try (RunningServer again = RunningServer.start(folder)) {
            assertThat(rows(again.client())).isEqualTo(1);
            write(again.client());
            assertThat(rows(again.client())).isEqualTo(2);
        }
    }

    private void startIsRefused(Path segment, byte[] content) throws IOException {
        Files.write(segment, content);

        assertThatExceptionOfType(DamagedLogException.class)
                .isThrownBy(() -> RunningServer.start(folder))
                .withMessageContaining(segment + " is damaged: the entry at offset ");
        assertThat(segment).hasBinaryContent(content);
    }
}
