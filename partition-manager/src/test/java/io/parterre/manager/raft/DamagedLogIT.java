package io.parterre.manager.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.parterre.file.DurableFiles;
import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.MapCommand;
import io.parterre.raftlog.DamagedLogException;
import io.parterre.range.NodeId;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a manager does with a log that a power loss or a bad disk has left. */
@Timeout(120)
class DamagedLogIT {
    @TempDir private Path folder;
    private MapGroupConfig config;

    @BeforeEach
    void configure() throws IOException {
        NodeId self = new NodeId("m1");
        config =
                Groups.config(
                        self,
                        List.of(new ManagerMember(self, "127.0.0.1:" + TestPorts.next(), "m1")),
                        folder.resolve("data"),
                        1_000);
    }

    private MapGroup start(MapGroupConfig of) throws IOException {
        return Groups.start(of, new SilentListener());
    }

    private static void create(MapGroup group, String account) {
        MapCommand command =
                new MapCommand.EnsureAccount(
                        new AccountName(account), List.of(AccountKey.of(new byte[64])), false);
        await().atMost(Duration.ofSeconds(30)).until(() -> applied(group, command));
    }

    private static boolean applied(MapGroup group, MapCommand command) {
        try {
            group.propose(command).get(10, TimeUnit.SECONDS);
            return true;
        } catch (Exception notLeading) {
            return false;
        }
    }

    /** The files as a power loss leaves them, with three accounts in the log. */
    private Path openSegment() throws IOException {
        Path left = folder.resolve("left");
        try (MapGroup group = start(config)) {
            create(group, "first");
            create(group, "second");
            create(group, "third");
            DurableFiles.copyFolder(config.dataDirectory(), left);
        }
        config = Groups.config(config.nodeId(), config.members(), left, 1_000);
        try (Stream<Path> files = Files.walk(left)) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static int end(byte[] segment) {
        int end = segment.length;
        while (segment[end - 1] == 0) {
            end--;
        }
        return end;
    }

    @Test
    void tornLastWriteIsTruncated_whenManagerRestarts() throws IOException {
        Path open = openSegment();
        byte[] segment = Files.readAllBytes(open);
        Files.write(open, Arrays.copyOf(segment, end(segment) - 5));

        try (MapGroup group = start(config)) {
            create(group, "fourth");
            assertThat(group.map().accounts())
                    .extracting(account -> account.name().value())
                    .containsExactlyInAnyOrder("first", "second", "fourth");
        }
    }

    @Test
    void managerStartFailsNamingTheEntry_whenABitIsFlipped() throws IOException {
        Path open = openSegment();
        byte[] segment = Files.readAllBytes(open);
        segment[end(segment) / 2] ^= 1;
        Files.write(open, segment);

        assertThatExceptionOfType(DamagedLogException.class)
                .isThrownBy(() -> start(config))
                .withMessageContaining(open + " is damaged: the entry at offset ");
        assertThat(open).hasBinaryContent(segment);
    }
}
