package io.parterre.manager.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.crash.CrashHook;
import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterMapCodec;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapDelta;
import io.parterre.range.NodeId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A manager ends at every moment of the list, leading and following, and is started again: the maps
 * have everything acknowledged and are the same.
 */
@Timeout(240)
final class MapCrashPointIT {
    private static final Set<MapCrashPoint> OF_LEADERS =
            EnumSet.of(MapCrashPoint.MAP_BEFORE_APPEND, MapCrashPoint.MAP_AFTER_APPEND);

    private static final Set<MapCrashPoint> OF_ELECTIONS =
            EnumSet.of(
                    MapCrashPoint.MAP_BEFORE_VOTE,
                    MapCrashPoint.MAP_AFTER_VOTE,
                    MapCrashPoint.MAP_LEAD_BEGUN);

    @TempDir static Path folder;
    private static final List<ManagerMember> MEMBERS = new ArrayList<>();
    private static final List<MapGroup> GROUPS = new CopyOnWriteArrayList<>();
    private static final List<String> ACKNOWLEDGED = new ArrayList<>();
    private static int written;

    /** Which managers are to end, where, and which of them did; one at a time. */
    private record Crash(Set<Integer> among, MapCrashPoint at, Optional<Integer> ended) {}

    private static final AtomicReference<Crash> CRASH = new AtomicReference<>();

    /** A manager that ended passes no moment any more. */
    private record Hook(int manager) implements CrashHook<MapCrashPoint> {
        @Override
        public void reached(MapCrashPoint point) {
            Crash crash =
                    CRASH.updateAndGet(
                            asked ->
                                    asked != null
                                                    && asked.ended().isEmpty()
                                                    && asked.at() == point
                                                    && asked.among().contains(manager)
                                            ? new Crash(asked.among(), point, Optional.of(manager))
                                            : asked);
            if (crash != null && crash.ended().filter(each -> each == manager).isPresent()) {
                throw new IllegalStateException("crashed at " + point);
            }
        }
    }

    private static final class Nobody implements MapListener {
        @Override
        public void replaced(ClusterMap map) {}

        @Override
        public void changed(MapDelta delta) {}

        @Override
        public void members(List<ClusterManager> members) {}

        @Override
        public void leading() {}

        @Override
        public void following() {}
    }

    @BeforeAll
    static void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            try (ServerSocket socket = new ServerSocket(0)) {
                MEMBERS.add(
                        new ManagerMember(
                                new NodeId("m" + i),
                                "127.0.0.1:" + socket.getLocalPort(),
                                "m" + i));
            }
        }
        for (int i = 0; i < 3; i++) {
            GROUPS.add(start(i));
        }
        write(5);
    }

    @AfterAll
    static void stop() throws IOException {
        for (MapGroup group : GROUPS) {
            group.close();
        }
    }

    private static MapGroup start(int i) throws IOException {
        NodeId id = MEMBERS.get(i).nodeId();
        MapGroupConfig config = new MapGroupConfig(id, MEMBERS, folder.resolve(id.value()), 10);
        return Groups.start(
                config,
                new Nobody(),
                MapGroupProperties.of(config),
                new CompletableFuture<>(),
                new Hook(i));
    }

    private static void write(int count) {
        for (int i = 0; i < count; i++) {
            String name = "account" + written++;
            MapCommand command =
                    new MapCommand.EnsureAccount(
                            new AccountName(name), List.of(AccountKey.of(new byte[32])), false);
            await().atMost(Duration.ofSeconds(120))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> GROUPS.stream().anyMatch(group -> applied(group, command)));
            ACKNOWLEDGED.add(name);
        }
    }

    private static boolean applied(MapGroup group, MapCommand command) {
        try {
            group.propose(command).get(10, TimeUnit.SECONDS);
            return true;
        } catch (Exception notLeadingOrEnded) {
            return false;
        }
    }

    private static int leader() {
        AtomicReference<Integer> leader = new AtomicReference<>();
        await().atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> {
                            for (int i = 0; i < 3; i++) {
                                Optional<String> known = GROUPS.get(i).leaderAddress();
                                if (known.filter(MEMBERS.get(i).serviceAddress()::equals)
                                        .isPresent()) {
                                    leader.set(i);
                                }
                            }
                            return leader.get() != null;
                        });
        return leader.get();
    }

    static Stream<Arguments> moments() {
        return Arrays.stream(MapCrashPoint.values())
                .flatMap(
                        point ->
                                OF_LEADERS.contains(point)
                                        ? Stream.of(Arguments.of(point, true))
                                        : OF_ELECTIONS.contains(point)
                                                ? Stream.of(Arguments.of(point, false))
                                                : Stream.of(
                                                        Arguments.of(point, true),
                                                        Arguments.of(point, false)));
    }

    @ParameterizedTest
    @MethodSource("moments")
    void ackedChangesSurviveOnAllManagers_whenOneCrashesAnywhere(
            MapCrashPoint point, boolean leading) throws Exception {
        int leader = leader();
        Set<Integer> among = leading ? Set.of(leader) : Set.of((leader + 1) % 3, (leader + 2) % 3);
        CRASH.set(new Crash(among, point, Optional.empty()));
        if (OF_ELECTIONS.contains(point)) {
            GROUPS.get(leader).close();
            await().atMost(Duration.ofSeconds(120)).until(() -> CRASH.get().ended().isPresent());
            GROUPS.set(leader, start(leader));
            replaceEnded();
        } else {
            // As many as a snapshot takes; the last of them may wait for another leader.
            Thread writer = new Thread(() -> write(25));
            writer.start();
            replaceEnded();
            writer.join();
        }

        write(3);
        await().atMost(Duration.ofSeconds(120))
                .untilAsserted(
                        () -> {
                            byte[] first = bytes(GROUPS.get(0).map());
                            assertThat(bytes(GROUPS.get(1).map())).isEqualTo(first);
                            assertThat(bytes(GROUPS.get(2).map())).isEqualTo(first);
                        });
        assertThat(
                        GROUPS.get(0).map().accounts().stream()
                                .map(account -> account.name().value())
                                .toList())
                .containsAll(ACKNOWLEDGED);
    }

    private static void replaceEnded() throws IOException {
        await().atMost(Duration.ofSeconds(120)).until(() -> CRASH.get().ended().isPresent());
        int ended = CRASH.get().ended().orElseThrow();
        GROUPS.get(ended).close();
        CRASH.set(null);
        GROUPS.set(ended, start(ended));
    }

    private static byte[] bytes(ClusterMap map) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ClusterMapCodec.write(map, bytes);
        return bytes.toByteArray();
    }
}
