package io.parterre.manager.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.crash.CrashHook;
import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterMapCodec;
import io.parterre.manager.map.MapCommand;
import io.parterre.range.NodeId;
import io.parterre.testing.SimulatedCrash;
import io.parterre.testing.TestPorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Three managers of which one ends at a moment of the list and is started again: then the maps have
 * everything acknowledged and are the same.
 */
final class MapCrashes implements AutoCloseable {
    /** Only a leader passes these. */
    static final Set<MapCrashPoint> OF_LEADERS =
            EnumSet.of(MapCrashPoint.MAP_BEFORE_APPEND, MapCrashPoint.MAP_AFTER_APPEND);

    /** Passed when the leader is gone, by one that follows until then. */
    static final Set<MapCrashPoint> OF_ELECTIONS =
            EnumSet.of(
                    MapCrashPoint.MAP_BEFORE_VOTE,
                    MapCrashPoint.MAP_AFTER_VOTE,
                    MapCrashPoint.MAP_LEAD_BEGUN);

    private final Path folder;
    private final List<ManagerMember> members = new ArrayList<>();
    private final List<MapGroup> groups = new CopyOnWriteArrayList<>();
    private final List<String> acknowledged = new ArrayList<>();
    private int written;

    /** Which managers are to end, where, and which of them did; one at a time. */
    private record Crash(Set<Integer> among, MapCrashPoint at, Optional<Integer> ended) {}

    private final AtomicReference<Crash> crash = new AtomicReference<>();

    /** A manager that ended passes no moment any more. */
    private final class Hook implements CrashHook<MapCrashPoint> {
        private final int manager;

        Hook(int manager) {
            this.manager = manager;
        }

        @Override
        public void reached(MapCrashPoint point) {
            Crash now =
                    crash.updateAndGet(
                            asked ->
                                    asked != null
                                                    && asked.ended().isEmpty()
                                                    && asked.at() == point
                                                    && asked.among().contains(manager)
                                            ? new Crash(asked.among(), point, Optional.of(manager))
                                            : asked);
            if (now != null && now.ended().filter(each -> each == manager).isPresent()) {
                throw new SimulatedCrash(point);
            }
        }
    }

    MapCrashes(Path folder) throws IOException {
        this.folder = folder;
        for (int i = 0; i < 3; i++) {
            members.add(
                    new ManagerMember(
                            new NodeId("m" + i), "127.0.0.1:" + TestPorts.next(), "m" + i));
        }
        for (int i = 0; i < 3; i++) {
            groups.add(start(i));
        }
        write(5);
    }

    @Override
    public void close() throws IOException {
        for (MapGroup group : groups) {
            group.close();
        }
    }

    private MapGroup start(int i) throws IOException {
        NodeId id = members.get(i).nodeId();
        MapGroupConfig config = Groups.config(id, members, folder.resolve(id.value()), 10);
        return Groups.start(
                config,
                new SilentListener(),
                MapGroupProperties.of(config),
                new CompletableFuture<>(),
                new Hook(i));
    }

    private void write(int count) {
        for (int i = 0; i < count; i++) {
            String name = "account" + written++;
            MapCommand command =
                    new MapCommand.EnsureAccount(
                            new AccountName(name), List.of(AccountKey.of(new byte[32])), false);
            await().atMost(Duration.ofSeconds(120))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> groups.stream().anyMatch(group -> applied(group, command)));
            acknowledged.add(name);
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

    private int leader() {
        AtomicReference<Integer> leader = new AtomicReference<>();
        await().atMost(Duration.ofSeconds(120))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> {
                            for (int i = 0; i < 3; i++) {
                                Optional<String> known = groups.get(i).leaderAddress();
                                if (known.filter(members.get(i).serviceAddress()::equals)
                                        .isPresent()) {
                                    leader.set(i);
                                }
                            }
                            return leader.get() != null;
                        });
        return leader.get();
    }

    /** Has one end there that leads, or one that follows. */
    void end(MapCrashPoint point, boolean leading) throws Exception {
        int leader = leader();
        Set<Integer> among = leading ? Set.of(leader) : Set.of((leader + 1) % 3, (leader + 2) % 3);
        crash.set(new Crash(among, point, Optional.empty()));
        if (OF_ELECTIONS.contains(point)) {
            groups.get(leader).close();
            awaitEnd();
            groups.set(leader, start(leader));
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
                .pollDelay(Duration.ZERO)
                .untilAsserted(
                        () -> {
                            byte[] first = bytes(groups.get(0).map());
                            assertThat(bytes(groups.get(1).map())).isEqualTo(first);
                            assertThat(bytes(groups.get(2).map())).isEqualTo(first);
                        });
        assertThat(
                        groups.get(0).map().accounts().stream()
                                .map(account -> account.name().value())
                                .toList())
                .containsAll(acknowledged);
    }

    private void awaitEnd() {
        await().atMost(Duration.ofSeconds(120))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> crash.get().ended().isPresent());
    }

    private void replaceEnded() throws IOException {
        awaitEnd();
        int ended = crash.get().ended().orElseThrow();
        groups.get(ended).close();
        crash.set(null);
        groups.set(ended, start(ended));
    }

    private static byte[] bytes(ClusterMap map) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ClusterMapCodec.write(map, bytes);
        return bytes.toByteArray();
    }
}
