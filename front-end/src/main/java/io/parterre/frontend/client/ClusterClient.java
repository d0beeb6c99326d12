package io.parterre.frontend.client;

import io.opentelemetry.api.trace.Tracer;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.quota.QuotaLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that speaks with the cluster, wired: the watched map, the streams and what is made of
 * them. Has one thread, for pauses and deadlines; the rest runs on the callers' threads and on
 * those of the channels. Safe for any thread.
 */
public final class ClusterClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterClient.class);

    /** How late a deadline may be noticed. */
    private static final Duration EXPIRY_INTERVAL = Duration.ofMillis(20);

    private final ScheduledExecutorService timer;
    private final RangeStreams streams;
    private final ManagerWatch watch;
    private final RangeCalls calls;
    private final TableStore tables;

    private ClusterClient(
            ScheduledExecutorService timer,
            RangeStreams streams,
            ManagerWatch watch,
            RangeCalls calls,
            TableStore tables) {
        this.timer = timer;
        this.streams = streams;
        this.watch = watch;
        this.calls = calls;
        this.tables = tables;
    }

    /**
     * Begins to watch the map.
     *
     * @param name what managers are told of this front end
     * @param managers the partition managers; their channels stay the caller's
     * @param limits what entities are held to
     * @param accounts how long they are trusted without a manager
     * @param callbacks where the current thread wants its answers: its event loop, if it is one,
     *     else wherever they arrive
     * @param setbacks told of each attempt that did not bring the answer asked for, by {@link
     *     io.parterre.frontend.route.Setback#reason}; must not block
     * @param tracer makes the spans of attempts
     * @param random for the sender's number and for jitter; safe for any thread, seeded again for
     *     each start: two senders of one number would take each other's commands for repeats
     */
    public static ClusterClient start(
            FrontEndName name,
            ClusterClientConfig config,
            EntityLimits limits,
            AccountsConfig accounts,
            ManagerEndpoints managers,
            ChannelFactory channels,
            Supplier<Executor> callbacks,
            Consumer<String> setbacks,
            Tracer tracer,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random) {
        ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("front-end-timer"));
        RangeStreams streams = new RangeStreams(channels, config, nanos);
        ManagerWatch watch =
                new ManagerWatch(
                        name,
                        Long.toHexString(random.nextLong()),
                        managers,
                        config,
                        accounts,
                        timer,
                        nanos);
        RangeCalls calls =
                new RangeCalls(
                        watch,
                        streams,
                        config,
                        timer,
                        nanos,
                        random::nextDouble,
                        callbacks,
                        setbacks,
                        tracer);
        watch.onUpdate(
                view -> {
                    streams.retain(view.addresses());
                    calls.leadersTold();
                });
        Commands commands = new Commands(calls, random.nextLong());
        ObjectIds objectIds = new ObjectIds(managers, config, timer);
        timer.scheduleWithFixedDelay(
                () -> expire(streams, watch),
                EXPIRY_INTERVAL.toMillis(),
                EXPIRY_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        watch.connect();
        timer.scheduleWithFixedDelay(
                watch::confirm,
                ManagerWatch.CONFIRM_INTERVAL.toMillis(),
                ManagerWatch.CONFIRM_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
        return new ClusterClient(
                timer,
                streams,
                watch,
                calls,
                new ClusterTableStore(calls, commands, objectIds, limits, clock, nanos));
    }

    private static void expire(RangeStreams streams, ManagerWatch watch) {
        try {
            streams.expire(watch.view().map());
        } catch (RuntimeException bug) {
            // Thrown on, it would end the timer's task, and with it every deadline.
            LOG.error("deadlines not checked", bug);
        }
    }

    public AccountDirectory accounts() {
        return watch;
    }

    public TableStore tables() {
        return tables;
    }

    /** Completes once ranges and accounts of the cluster are known. */
    public CompletableFuture<Void> ready() {
        return watch.ready().copy();
    }

    /** What this front end grants to accounts and tables, as the managers have told. */
    public QuotaLimits quotas() {
        return watch.view().quotas();
    }

    /** Version of the map that is being served; 0: none yet. */
    public long mapVersion() {
        return watch.view().map().version();
    }

    /** Time since a manager last vouched for the accounts, or since the start. */
    public Duration accountsAge() {
        return watch.accountsAge();
    }

    /** Time since any server last answered anything, or since the start. */
    public Duration silence() {
        return calls.silence();
    }

    /** Ends what is under way; nothing is sent any more. */
    @Override
    public void close() {
        watch.close();
        calls.close();
        streams.close();
        timer.shutdownNow();
    }
}
