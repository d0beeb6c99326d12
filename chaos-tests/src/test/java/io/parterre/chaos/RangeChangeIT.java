package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.Reading;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.RangeChange;
import io.parterre.chaos.process.RangeView;
import io.parterre.chaos.process.SettingsLine;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Scans;
import io.parterre.deploy.node.RoleName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One cluster whose ranges are split and merged under load, at partitions in use, while clients
 * page through them, and front ends, servers and managers are asleep, away or killed meanwhile: no
 * call fails, no entity is missed or seen twice, nothing is lost. Every test leaves it healthy.
 * {@code -Dparterre.chaos.changes=N}, {@code -Dparterre.chaos.kills=N} and {@code
 * -Dparterre.chaos.crashes=N} set how often.
 */
@Course
class RangeChangeIT {
    private static final Logger LOG = LoggerFactory.getLogger(RangeChangeIT.class);
    private static final int CHANGES = Integer.getInteger("parterre.chaos.changes", 40);
    private static final int KILLS = Integer.getInteger("parterre.chaos.kills", 6);
    private static final int CRASHES = Integer.getInteger("parterre.chaos.crashes", 6);
    private static final int GENERATIONS_SLEPT_THROUGH = 10;
    private static final int READERS_PER_FRONT_END = 2;
    private static final int BATCHES_PER_STEP = 2;
    private static final int KILLED_WITHIN_MILLIS = 1_500;
    private static final Duration STEP_WITHIN = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(200);

    /** Of a front end that has just woken up, on a machine with much else to do. */
    private static final Duration FIRST_ANSWERS_WITHIN = Duration.ofSeconds(20);

    /** Less than is written while a server is away. */
    private static final SettingsLine SHORT_LOG =
            new SettingsLine("server.raft.preservedLogBytes", "1MiB");

    private static RangeRun run;

    @BeforeAll
    static void start() {
        run = RangeRun.start("range-changes", SHORT_LOG);
    }

    @AfterAll
    static void end() {
        if (run != null) {
            run.close();
        }
    }

    /** A test that failed must not leave its writers to the next one. */
    @AfterEach
    void stopWriting() {
        run.writers().stop();
    }

    @Test
    void scansSeeEachEntityOnce_whileRangesSplitAndMerge() {
        run.writers().start(run.connections());
        Scans scans = new Scans(run.writers(), run.nemesis()::changes);
        List<TableConnection> readers = new ArrayList<>();
        for (int i = 0; i < READERS_PER_FRONT_END; i++) {
            readers.addAll(run.connections());
        }
        scans.start(readers, run.random());
        Durations changes = new Durations();
        Durations silences = new Durations();
        for (int i = 1; i <= CHANGES; i++) {
            long begunNanos = System.nanoTime();
            run.writers().pulse().watchFrom(begunNanos);
            RangeChange change = run.nemesis().plan(run.writers().roster().partitions());
            boolean done = run.change(change);
            changes.add(Duration.ofNanos(System.nanoTime() - begunNanos));
            run.writers().awaitBatches(BATCHES_PER_STEP);
            silences.add(run.writers().pulse().longestSilence());
            LOG.info("number={} change={} done={} walks={}", i, change, done, scans.walks());
        }
        scans.stop();
        run.verify("ranges changed under scans");
        LOG.info(
                "range changes seed={} splits={} merges={} undone={} walks={} pages={}"
                        + " keptTokens={} writes={} change {} longest silence {}",
                run.cluster().seed(),
                run.nemesis().splits(),
                run.nemesis().merges(),
                run.nemesis().undone(),
                scans.walks(),
                scans.pages(),
                scans.keptTokens(),
                run.writers().acknowledged(),
                changes,
                silences);
        run.cluster().assertNone(scans.violations(), "what scans saw");
        run.cluster().assertNone(scans.failures(), "pages that failed");
        assertThat(scans.keptTokens()).as("tokens kept back").isPositive();
        assertThat(run.nemesis().splits()).as("splits").isPositive();
        run.cluster().cluster().awaitHealthy();
    }

    @Test
    void frontEndAnswersCorrectly_afterMissingTenGenerations() {
        TableConnection awake = run.connections().get(0);
        TableConnection asleep = run.connections().get(1);
        String name = run.cluster().cluster().names(RoleName.FRONT_END).get(1);
        run.writers().start(List.of(awake));
        // It knows all ranges, as they are now.
        run.writers().roster().oneOfEachPartition().forEach(id -> readRight(asleep, id));
        run.cluster().cluster().pause(name);
        RangeChange split = run.planSplit();
        long generation = run.range(split).generation();
        while (run.range(split).generation() < generation + GENERATIONS_SLEPT_THROUGH) {
            run.change(run.nemesis().planAt(split.at()));
        }
        run.writers().awaitAcknowledged(20);

        long wokenNanos = System.nanoTime();
        run.cluster().cluster().resume(name);
        Set<EntityId> asked = run.writers().roster().oneOfEachPartition();
        asked.forEach(id -> readRight(asleep, id));
        Duration took = Duration.ofNanos(System.nanoTime() - wokenNanos);
        Scans scans = new Scans(run.writers(), run.nemesis()::changes);
        scans.start(List.of(asleep), run.random());
        scans.stop();
        run.verify("a front end slept through it");
        // And through the one that slept.
        run.writers().start(List.of(asleep));
        run.writers().awaitAcknowledged(20);
        LOG.info(
                "front end asleep seed={} generations={} reads={} tookMillis={}",
                run.cluster().seed(),
                run.range(split).generation() - generation,
                asked.size(),
                took.toMillis());
        run.verify("written through the front end that slept");
        run.cluster().assertNone(scans.violations(), "what it showed");
        run.cluster().assertNone(scans.failures(), "pages that failed");
        assertThat(took).as("answers of %s", name).isLessThan(FIRST_ANSWERS_WITHIN);
        run.cluster().cluster().awaitHealthy();
    }

    private static void readRight(TableConnection connection, EntityId id) {
        Reading<Optional<StoredEntity>> reading = connection.tryRead(run.writers().table(), id);
        assertThat(reading).as(id.toString()).isInstanceOf(Reading.Answered.class);
        boolean found = ((Reading.Answered<Optional<StoredEntity>>) reading).value().isPresent();
        assertThat(found || !run.writers().roster().isThere(id)).as(id.toString()).isTrue();
    }

    @Test
    void restartedServerHoldsCurrentRanges_afterSplitsWhileDown() {
        TableConnection connection = run.connections().get(0);
        Bulk bulk = Bulk.create("RangesBulk", connection);
        run.writers().start(run.connections());
        bulk.begin();
        List<String> servers = run.cluster().cluster().names(RoleName.PARTITION_SERVER);
        String away = servers.get(run.random().nextInt(servers.size()));
        List<String> others = servers.stream().filter(name -> !name.equals(away)).toList();
        long copies = run.cluster().cluster().logLines(away, "copy of replica installed");
        run.cluster().cluster().kill(away);
        Duration recovery = run.awaitRecovery("the end of " + away);
        // The last range has the bulk, and is split in the middle of it.
        List<RangeView> before = run.operator().ranges();
        RangeView last = before.get(before.size() - 1);
        run.operator().ask("split", Long.toString(last.id()));
        await("split of " + last)
                .atMost(STEP_WITHIN)
                .until(
                        () -> run.operator().tryRanges().orElse(List.of()),
                        now ->
                                now.size() > before.size()
                                        && now.stream().allMatch(RangeView::isAtRest));
        assertThat(run.change(run.planSplit())).as("split while %s is away", away).isTrue();
        bulk.fill();
        others.forEach(server -> run.operator().ask("flush", server));
        others.forEach(server -> run.operator().ask("snapshot", server));

        run.cluster().cluster().restart(away);
        // In this order: only once it holds them have the managers begun what has to end.
        awaitReplicas(away);
        run.cluster().cluster().awaitHealthy();
        LOG.info(
                "server away seed={} node={} recoveryMillis={} copies={} ranges={}",
                run.cluster().seed(),
                away,
                recovery.toMillis(),
                run.cluster().cluster().logLines(away, "copy of replica installed") - copies,
                run.operator().ranges().size());
        assertThat(run.cluster().cluster().logLines(away, "copy of replica installed"))
                .as("copies to %s", away)
                .isGreaterThan(copies);
        // From now on it is needed for every majority.
        String lost = others.get(run.random().nextInt(others.size()));
        run.cluster().cluster().kill(lost);
        run.awaitRecovery("the end of " + lost);
        run.verify("with the server that was away, without " + lost);
        assertThat(bulk.isWhole()).as("bulk").isTrue();
        run.cluster().cluster().restart(lost);
        servers.forEach(RangeChangeIT::awaitReplicas);
        run.cluster().cluster().awaitHealthy();
    }

    /** Waits until the server holds a replica of every range there is, and no other. */
    private static void awaitReplicas(String server) {
        await("replicas of " + server)
                .atMost(STEP_WITHIN)
                // A server that has just been started need not be known to all.
                .ignoreExceptionsInstanceOf(IllegalStateException.class)
                .untilAsserted(
                        () ->
                                assertThat(run.operator().replicasOn(server))
                                        .isEqualTo(
                                                run.operator().ranges().stream()
                                                        .map(RangeView::id)
                                                        .collect(Collectors.toSet())));
    }

    @Test
    void rangeChangeCompletesOrAborts_whenManagerLeaderIsKilled() {
        run.writers().start(run.connections());
        Durations ends = new Durations();
        for (int i = 0; i < KILLS; i++) {
            String manager = run.cluster().cluster().leadingManager();
            RangeChange change = run.nemesis().plan(run.writers().roster().partitions());
            run.nemesis().ask(change);
            // Spread over the time that a change takes, so that no phase of it is left out.
            int spread = KILLED_WITHIN_MILLIS / KILLS;
            RangeRun.awaitMillis(i * spread + run.random().nextInt(spread));
            String phase =
                    run.operator().tryRanges().orElse(List.of()).stream()
                            .map(RangeView::change)
                            .filter(text -> !text.isEmpty())
                            .findFirst()
                            .orElse("over");
            long killedNanos = System.nanoTime();
            run.cluster().cluster().kill(manager);
            boolean done = run.nemesis().awaitEnd(change);
            ends.add(Duration.ofNanos(System.nanoTime() - killedNanos));
            LOG.info("killed={} phase={} change={} done={}", manager, phase, change, done);
            run.cluster().cluster().restart(manager);
            run.cluster().cluster().awaitHealthy();
            run.writers().awaitBatches(BATCHES_PER_STEP);
        }
        LOG.info(
                "managers killed seed={} splits={} merges={} undone={} end {}",
                run.cluster().seed(),
                run.nemesis().splits(),
                run.nemesis().merges(),
                run.nemesis().undone(),
                ends);
        run.verify("managers killed during changes");
    }

    @Test
    void rangeChangeCompletesOrAborts_whenProcessEndsAtCrashPoint() {
        run.writers().start(run.connections());
        Durations recoveries = new Durations();
        for (RangeCrash crash : RangeCrash.course(CRASHES, run.random())) {
            RangeChange change =
                    crash.kind() == RangeChange.Kind.SPLIT ? run.planSplit() : run.planMerge();
            String node = victim(crash, change);
            run.cluster().cluster().crashAt(node, crash.moment(), crash.passage());
            lead(crash, node, change);
            Duration recovery = run.awaitRecovery(crash.toString());
            recoveries.add(recovery);
            run.cluster().cluster().restart(node);
            boolean done = run.nemesis().awaitEnd(change);
            LOG.info(
                    "crash={} node={} change={} done={} recoveryMillis={}",
                    crash,
                    node,
                    change,
                    done,
                    recovery.toMillis());
            run.cluster().cluster().awaitHealthy();
        }
        LOG.info("crash points seed={} recovery {}", run.cluster().seed(), recoveries);
        run.verify("processes ended during changes");
        run.cluster()
                .cluster()
                .names(RoleName.PARTITION_SERVER)
                .forEach(RangeChangeIT::awaitReplicas);
    }

    private static String victim(RangeCrash crash, RangeChange change) {
        if (crash.role() == RoleName.PARTITION_MANAGER) {
            return run.cluster().cluster().leadingManager();
        }
        String leader = run.range(change).leader();
        return crash.leading()
                ? leader
                : run.range(change).members().stream()
                        .filter(node -> !node.equals(leader))
                        .findFirst()
                        .orElseThrow();
    }

    /**
     * Brings the process to where it ends. A change that is given up before that is asked for
     * again; an entry of the managers' log that it did not need is brought by something else.
     */
    private static void lead(RangeCrash crash, String node, RangeChange change) {
        run.nemesis().tryAsk(change);
        await("end of " + node + " at " + crash)
                .atMost(STEP_WITHIN)
                .pollInterval(POLL)
                .until(
                        () -> {
                            if (crash.role() == RoleName.PARTITION_MANAGER) {
                                String account = "a" + System.nanoTime();
                                run.operator().tryAsk("account", "create", account);
                            } else {
                                run.nemesis().tryAsk(change);
                            }
                            return run.cluster().cluster().isGone(node);
                        });
    }
}
