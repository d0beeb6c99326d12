package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power fails for all members at once, in the middle of a sync: of what was not synced, each
 * disk has kept something else. Everything acknowledged before is there after a start, without
 * anybody's help.
 */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
final class UnsyncedLogIT {
    private static final List<String> THREE = List.of("node-1", "node-2", "node-3");
    private static final int UNSYNCED_WRITES = 30;
    private static final int SECTOR_BYTES = 512;

    /** What is left of bytes that were written and not synced. */
    private enum Left {
        /** The file is as long as it was. */
        NOTHING,
        /** Its beginning, and then the zeros that space is preallocated with. */
        ZEROS_BEHIND,
        /** Its beginning, up to a new length. */
        SHORTER
    }

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource(Left.class)
    void ackedWritesSurvive_whenAllMembersLosePowerDuringSync(Left left) throws Exception {
        SplittableRandom random = new SplittableRandom(7 + left.ordinal());
        try (TestCluster cluster = TestCluster.ofThree(folder)) {
            cluster.client.write(40);
            cluster.awaitLevel(THREE);
            Map<Path, Long> synced = new HashMap<>();
            for (String node : THREE) {
                for (Path file : openSegments(node)) {
                    synced.put(file, writtenBytes(file));
                }
            }
            long before = cluster.client.acknowledged();
            cluster.client.write(UNSYNCED_WRITES);
            cluster.killAll();
            for (Map.Entry<Path, Long> file : synced.entrySet()) {
                lose(file.getKey(), file.getValue(), left, random);
            }
            for (String node : THREE) {
                cluster.start(node);
            }
            // No client has heard of those that were lost, so they are none's.
            cluster.client.keptOfLast(UNSYNCED_WRITES);
            assertThat(cluster.client.acknowledged()).isGreaterThanOrEqualTo(before);
            cluster.client.write(5);
            cluster.client.assertAllThere();
            cluster.assertSameRows(THREE);
        }
    }

    private List<Path> openSegments(String node) throws IOException {
        Path current =
                folder.resolve(node)
                        .resolve("raft")
                        .resolve(TestCluster.RANGE.groupId().toString())
                        .resolve("current");
        try (Stream<Path> files = Files.list(current)) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
                    .toList();
        }
    }

    /** Up to where entries reach; behind them is preallocated space. */
    private static long writtenBytes(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private static void lose(Path file, long synced, Left left, SplittableRandom random)
            throws IOException {
        long end = Files.size(file);
        assertThat(end).as("something was written").isGreaterThan(synced);
        long kept = random.nextLong(synced, end);
        long from = Math.max(synced, kept - kept % SECTOR_BYTES);
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            switch (left) {
                case NOTHING -> open.setLength(synced);
                case SHORTER -> open.setLength(from);
                case ZEROS_BEHIND -> {
                    open.seek(from);
                    open.write(new byte[(int) (end - from)]);
                }
            }
        }
    }
}
