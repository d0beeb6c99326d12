package io.parterre.bench.hotspot;

import com.fasterxml.jackson.databind.JsonNode;
import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.TenthsRecorder;
import io.parterre.bench.work.CreateTable;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.deploy.local.LocalCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Puts a cluster under one load after the other and observes it. After the policy is set, no
 * operator command is given; only servers are stopped, started and added. Confined to one thread.
 */
public final class HotspotRun {
    private static final String TABLE = "hotspot";
    private static final Duration POLL = Duration.ofMillis(400);
    private static final Duration LOOP_MAX = Duration.ofHours(2);
    private static final Duration AWAY = Duration.ofSeconds(5);
    private static final long FRONT_END_ROWS = 1_000;

    private final ClusterProcesses cluster;
    private final HotspotPlan plan;
    private final Consumer<String> progress;
    private final RunClock clock = RunClock.startNow();
    private final List<SkewedCalls> clients = new ArrayList<>();
    private final List<Phase> phases = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();

    public HotspotRun(
            ClusterProcesses cluster, HotspotPlan plan, long seed, Consumer<String> progress) {
        this.cluster = cluster;
        this.plan = plan;
        this.progress = progress;
        SplittableRandom random = new SplittableRandom(seed);
        int frontEnds = cluster.tableEndpoints().size();
        for (int i = 0; i < frontEnds; i++) {
            clients.add(
                    new SkewedCalls(
                            new EntityCalls(TABLE, i * FRONT_END_ROWS),
                            plan.connections(),
                            frontEnds,
                            plan.offer(PhaseKind.STEADY),
                            clock,
                            random.split()));
        }
    }

    /**
     * Runs all phases.
     *
     * @throws IOException if a front end cannot be reached
     */
    public RunRecord run() throws IOException, InterruptedException {
        cluster.operator().setPolicy(plan.policy());
        createTable();
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            List<Future<?>> loops = new ArrayList<>();
            for (int i = 0; i < clients.size(); i++) {
                SkewedCalls calls = clients.get(i);
                LoadLoop loop = new LoadLoop(endpoint(i), plan.connections(), calls, calls, calls);
                loops.add(
                        threads.submit(
                                () -> {
                                    loop.run(LOOP_MAX);
                                    return null;
                                }));
            }
            for (PhaseKind kind : PhaseKind.values()) {
                Duration lasting = plan.lasting().getOrDefault(kind, Duration.ZERO);
                if (!lasting.isZero()) {
                    pass(kind, lasting);
                }
            }
            clients.forEach(SkewedCalls::end);
            for (Future<?> loop : loops) {
                loop.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a front end cannot be reached: " + e.getCause(), e);
        } finally {
            clients.forEach(SkewedCalls::end);
            threads.shutdown();
        }
        return record();
    }

    private void createTable() throws IOException {
        TenthsRecorder created = new TenthsRecorder(1);
        new LoadLoop(endpoint(0), 1, CreateTable.unlessThere(TABLE), created)
                .run(Duration.ofSeconds(30));
        if (!created.errors().isEmpty()) {
            throw new IOException("table " + TABLE + ": " + created.firstErrors());
        }
    }

    private Endpoint endpoint(int frontEnd) {
        return Endpoint.of(
                cluster.tableEndpoints().get(frontEnd), LocalCluster.ACCOUNT, LocalCluster.KEY);
    }

    private void pass(PhaseKind kind, Duration lasting) {
        look();
        Offer offer = plan.offer(kind);
        clients.forEach(client -> client.offer(offer));
        long from = clock.nowMillis();
        progress.accept(
                String.format(
                        Locale.ROOT,
                        "%7.1f s  %s: %.0f calls/s",
                        from / 1e3,
                        kind.words(),
                        offer.callsPerSecond()));
        Optional<String> server = Optional.empty();
        long since = from;
        if (kind == PhaseKind.RETURNED) {
            server = Optional.of(busiest());
            cluster.stop(server.get());
            progress.accept("           " + server.get() + " is stopped");
            lookFor(AWAY);
            since = clock.nowMillis();
            cluster.launch(List.of(server.get()));
            progress.accept("           " + server.get() + " is started");
        } else if (kind == PhaseKind.JOINED) {
            server = Optional.of(cluster.addServer());
            progress.accept("           " + server.get() + " is there");
        }
        if (kind == PhaseKind.QUIET) {
            lookUntilOneRange(lasting);
        } else {
            lookFor(lasting.minus(Duration.ofMillis(clock.nowMillis() - from)));
        }
        phases.add(new Phase(kind, offer, from, clock.nowMillis(), server, since));
    }

    private String busiest() {
        Layout layout = samples.get(samples.size() - 1).layout();
        return layout.shares(plan.offer(PhaseKind.RETURNED).skew()).entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
    }

    private void lookFor(Duration time) {
        long end = clock.nowMillis() + time.toMillis();
        while (clock.nowMillis() < end) {
            look();
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /** Observes until there is one range, and a moment longer, so that the chart shows it. */
    private void lookUntilOneRange(Duration atMost) {
        long end = clock.nowMillis() + atMost.toMillis();
        while (clock.nowMillis() < end
                && samples.get(samples.size() - 1).layout().parts().size() > 1) {
            look();
            LockSupport.parkNanos(POLL.toNanos());
        }
        lookFor(Duration.ofSeconds(10));
    }

    /** Records which server leads which range now; records nothing while no manager answers. */
    private void look() {
        long millis = clock.nowMillis();
        Optional<Layout> now =
                cluster.operator()
                        .tryAsk("ranges")
                        .map(answer -> Layout.of(answer, plan.partitions()))
                        .filter(layout -> !layout.parts().isEmpty());
        if (now.isEmpty()) {
            return;
        }
        Layout layout = now.get();
        if (samples.isEmpty() || !samples.get(samples.size() - 1).layout().equals(layout)) {
            progress.accept(
                    String.format(Locale.ROOT, "%7.1f s  %s", millis / 1e3, layout.words()));
        }
        samples.add(new Sample(millis, layout));
    }

    private RunRecord record() throws IOException {
        JsonNode journal = cluster.operator().ask("journal", "--limit", "500");
        List<Call> calls =
                clients.stream()
                        .map(SkewedCalls::calls)
                        .flatMap(List::stream)
                        .sorted(Comparator.comparing(Call::endMicros))
                        .toList();
        Map<String, Long> errors = new TreeMap<>();
        for (SkewedCalls client : clients) {
            client.errors().forEach((kind, count) -> errors.merge(kind, count, Long::sum));
            client.firstErrors()
                    .forEach((kind, said) -> progress.accept("failed: " + kind + ": " + said));
        }
        Map<String, Long> lost = new TreeMap<>();
        for (int i = 0; i < clients.size(); i++) {
            verify(i, lost);
        }
        return new RunRecord(
                phases,
                samples,
                Step.of(journal, clock),
                calls,
                errors,
                clients.stream().mapToLong(client -> client.held().count()).sum(),
                lost);
    }

    /** Reads each entity through another front end than the one by which it was written. */
    private void verify(int client, Map<String, Long> lost) throws IOException {
        SkewedCalls calls = clients.get(client);
        TenthsRecorder found = new TenthsRecorder(Math.max(10, calls.held().count()));
        new LoadLoop(
                        endpoint((client + 1) % clients.size()),
                        1,
                        new FinalReads(calls.entities(), calls.held()),
                        found)
                .run(Duration.ofMinutes(10));
        found.errors().forEach((kind, count) -> lost.merge(kind, count, Long::sum));
        found.firstErrors()
                .forEach((kind, said) -> progress.accept("lost or wrong: " + kind + ": " + said));
        long missing =
                calls.held().count()
                        - found.loaded()
                        - found.errors().values().stream().mapToLong(Long::longValue).sum();
        if (missing != 0) {
            lost.merge("not read in time", missing, Long::sum);
        }
    }
}
