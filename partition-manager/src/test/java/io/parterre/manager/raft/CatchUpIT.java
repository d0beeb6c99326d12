package io.parterre.manager.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.file.DurableFiles;
import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.range.NodeId;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A manager that was away for longer than the others' logs reach back. */
@Timeout(180)
class CatchUpIT {
    private static final int WRITES = 900;

    @TempDir private Path folder;
    private final List<ManagerMember> members = new ArrayList<>();
    private final List<MapGroup> groups = new ArrayList<>();
    private final Random random = new Random(1);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private int written;

    @BeforeEach
    void start() throws IOException {
        for (int i = 1; i <= 3; i++) {
            members.add(
                    new ManagerMember(
                            new NodeId("m" + i), "127.0.0.1:" + TestPorts.next(), "m" + i));
        }
        for (int i = 0; i < 3; i++) {
            groups.add(start(i, new Replacements()));
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (MapGroup group : groups) {
            group.close();
        }
    }

    private static final class Replacements extends SilentListener {
        final AtomicInteger count = new AtomicInteger();

        @Override
        public void replaced(ClusterMap map) {
            count.incrementAndGet();
        }
    }

    private MapGroup start(int i, MapListener listener) throws IOException {
        MapGroupConfig config =
                Groups.config(
                        members.get(i).nodeId(),
                        members,
                        folder.resolve(members.get(i).nodeId().value()),
                        100);
        RaftProperties properties = MapGroupProperties.of(config);
        // As with a log of weeks, in seconds: short segments, and none kept for longer than needed.
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf("300KB"));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("16KB"));
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, 10);
        return Groups.start(config, listener, properties, failure);
    }

    /** A kilobyte each, to the leader; many at once, since each waits for the disks. */
    private void write(int count) {
        List<MapCommand> left = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            left.add(change(written++));
        }
        await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .until(
                        () -> {
                            for (MapGroup group : groups) {
                                left.retainAll(notApplied(group, left));
                            }
                            return left.isEmpty();
                        });
    }

    private MapCommand change(int n) {
        byte[] key = new byte[1_000];
        random.nextBytes(key);
        return new MapCommand.EnsureAccount(
                new AccountName("account" + n % 30), List.of(AccountKey.of(key)), false);
    }

    private static List<MapCommand> notApplied(MapGroup group, List<MapCommand> commands) {
        Map<MapCommand, CompletableFuture<MapOutcome>> proposed = new LinkedHashMap<>();
        commands.forEach(command -> proposed.put(command, group.propose(command)));
        List<MapCommand> not = new ArrayList<>();
        proposed.forEach(
                (command, outcome) -> {
                    try {
                        outcome.get(10, TimeUnit.SECONDS);
                    } catch (Exception notLeading) {
                        not.add(command);
                    }
                });
        return not;
    }

    @Test
    void managerCatchesUpBySnapshot_whenLogIsPurged() throws Exception {
        write(50);
        MapGroup away = groups.remove(2);
        away.close();
        write(WRITES);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(firstLogEntries(0, 1)).noneMatch(first -> first == 0));

        Replacements replacements = new Replacements();
        groups.add(start(2, replacements));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> groups.get(2).map().equals(groups.get(0).map()));
        assertThat(replacements.count)
                .as("at the start, and from the leader")
                .hasValueGreaterThan(1);

        // It has to be good for more than standing by: with it and one other the group goes on.
        write(50);
        groups.remove(0).close();
        write(50);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> groups.get(1).map().equals(groups.get(0).map()));
        assertThat(failure).isNotDone();

        // And what it was given is on its disk.
        ClusterMap before = groups.get(1).map();
        groups.remove(1).close();
        groups.add(start(2, new Replacements()));
        await().atMost(Duration.ofSeconds(60)).until(() -> groups.get(1).map().equals(before));
    }

    /** Index of the oldest entry in the log of each of these managers. */
    private List<Long> firstLogEntries(int... managers) throws IOException {
        List<Long> first = new ArrayList<>();
        for (int i : managers) {
            Path member = folder.resolve(members.get(i).nodeId().value());
            first.add(
                    DurableFiles.filesBelow(member).stream()
                            .map(file -> file.getFileName().toString())
                            .filter(name -> name.matches("log_(inprogress_)?\\d+(-\\d+)?"))
                            .mapToLong(
                                    name ->
                                            Long.parseLong(
                                                    name.replace("log_inprogress_", "")
                                                            .replace("log_", "")
                                                            .replaceAll("-.*", "")))
                            .min()
                            .orElse(0));
        }
        return first;
    }
}
