package io.parterre.chaos;

import static io.parterre.deploy.node.RoleName.PARTITION_MANAGER;
import static io.parterre.deploy.node.RoleName.PARTITION_SERVER;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.deploy.node.RoleName;
import io.parterre.manager.raft.MapCrashPoint;
import io.parterre.server.crash.CrashPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes of a cluster end themselves at the moments the product names, under load, one after the
 * other, leading and not: nothing acknowledged is lost, and writes go on. {@code
 * -Dparterre.chaos.crashes=N} sets how many of the moments, chosen by the seed; the modules' own
 * tests have all of them, within one process.
 */
@Course
class CrashPointIT {
    private static final Logger LOG = LoggerFactory.getLogger(CrashPointIT.class);
    private static final int CRASHES = Integer.getInteger("parterre.chaos.crashes", 12);
    private static final int WRITERS = 4;
    private static final int WRITES_BEFORE = 20;
    private static final int PASSAGES_MAX = 20;
    private static final Duration STEP_WITHIN = Duration.ofSeconds(60);

    /** Moments that the writes of clients lead to, or one command of an operator. */
    private static final Set<CrashPoint> OF_SERVERS =
            EnumSet.range(CrashPoint.BEFORE_LOG_APPEND, CrashPoint.AFTER_FLUSH);

    private static final Set<CrashPoint> BY_FLUSH =
            EnumSet.of(CrashPoint.BEFORE_FLUSH, CrashPoint.AFTER_FLUSH);

    private static final Set<MapCrashPoint> OF_MANAGERS =
            EnumSet.range(MapCrashPoint.MAP_BEFORE_APPEND, MapCrashPoint.MAP_AFTER_APPLY);

    private record Crash(RoleName role, String moment, boolean leading, boolean often) {}

    private final AtomicInteger accounts = new AtomicInteger();

    private static List<Crash> all() {
        List<Crash> all = new ArrayList<>();
        for (CrashPoint point : OF_SERVERS) {
            if (point == CrashPoint.BETWEEN_SLICES) {
                // These writes are too small to lead there: the SliceCrashIT of partition-server.
                continue;
            }
            boolean often = !BY_FLUSH.contains(point);
            for (boolean leading : new boolean[] {true, false}) {
                if (!leading || point != CrashPoint.AFTER_LOG_SYNC) {
                    all.add(new Crash(PARTITION_SERVER, point.name(), leading, often));
                }
            }
        }
        for (MapCrashPoint point : OF_MANAGERS) {
            all.add(new Crash(PARTITION_MANAGER, point.name(), true, false));
            if (EnumSet.range(MapCrashPoint.MAP_BEFORE_SYNC, MapCrashPoint.MAP_AFTER_APPLY)
                    .contains(point)) {
                all.add(new Crash(PARTITION_MANAGER, point.name(), false, false));
            }
        }
        return all;
    }

    @Test
    void ackedWritesSurvive_whenProcessesEndAtCrashPoints() {
        LocalClusterPlan plan =
                LocalClusterPlan.of(3, 2).withJvmOptions(List.of(ClusterProcesses.CRASH_ORDERS));
        try (ClusterRun run = ClusterRun.start("crash-points", plan)) {
            Random random = new Random(run.seed());
            Writers writers = new Writers("Crashed", WRITERS, random.nextLong(), ClusterRun.PACE);
            List<TableConnection> connections = run.connections();
            connections.get(0).createTable(writers.table());
            writers.start(connections);
            Durations recoveries = new Durations();
            for (Crash crash : crashes(random)) {
                writers.awaitAcknowledged(WRITES_BEFORE);
                String node = victim(run, crash);
                writers.pulse().watchFrom(System.nanoTime());
                int passage = crash.often() ? 1 + random.nextInt(PASSAGES_MAX) : 1;
                run.cluster().crashAt(node, crash.moment(), passage);
                lead(run, crash, node);
                run.cluster().awaitEnd(node);
                writers.pulse().watchFrom(System.nanoTime());
                Duration recovery =
                        await("a write acknowledged after " + crash)
                                .atMost(STEP_WITHIN)
                                .pollDelay(Duration.ZERO)
                                .pollInterval(Duration.ofMillis(10))
                                .until(writers.pulse()::recovery, java.util.Optional::isPresent)
                                .orElseThrow();
                recoveries.add(recovery);
                LOG.info("crash={} node={} recoveryMillis={}", crash, node, recovery.toMillis());
                run.cluster().restart(node);
                run.cluster().awaitHealthy();
            }
            writers.stop();
            LOG.info("crash points seed={} recovery {}", run.seed(), recoveries);
            run.assertNone(
                    new Verification(connections.get(0), writers).ofEverything(), "in the end");
            run.assertNone(new ArrayList<>(writers.failures()), "calls answered with an error");
        }
    }

    private static List<Crash> crashes(Random random) {
        List<Crash> course = new ArrayList<>();
        while (course.size() < CRASHES) {
            List<Crash> all = all();
            Collections.shuffle(all, random);
            course.addAll(all);
        }
        return course.subList(0, CRASHES);
    }

    private static String victim(ClusterRun run, Crash crash) {
        String leader =
                crash.role() == PARTITION_SERVER
                        ? run.cluster().leadingServer()
                        : run.cluster().leadingManager();
        Stream<String> others =
                run.cluster().names(crash.role()).stream().filter(name -> !name.equals(leader));
        return crash.leading() ? leader : others.findFirst().orElseThrow();
    }

    /** Brings the node to where it is to end, if clients do not. */
    private void lead(ClusterRun run, Crash crash, String node) {
        if (crash.role() == PARTITION_MANAGER) {
            run.cluster()
                    .operator()
                    .tryAsk("account", "create", "made" + accounts.incrementAndGet());
        } else if (!crash.often()) {
            run.cluster().operator().tryAsk("flush", node);
        }
    }
}
