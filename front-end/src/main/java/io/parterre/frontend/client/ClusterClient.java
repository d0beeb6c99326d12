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
 * Wires everything that communicates with the cluster: the watched map, the streams and the table
 * store on top of them. Owns one thread, for pauses and deadlines; everything else runs on the
 * callers' threads and on those of the channels. Thread-safe.
 */
public final class ClusterClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterClient.class);

    /** Longest delay with which an expired deadline is noticed. */
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
     * Starts to watch the map.
     *
     * @param name what managers are told of this front end
     * @param managers the partition managers; the caller closes their channels
     * @param limits limits of entities
     * @param accounts how long accounts are trusted without a manager
     * @param callbacks returns the executor on which the current thread wants its answers: its
     *     event loop if it is one, else the thread on which an answer arrives
     * @param setbacks told of each attempt that did not bring the answer asked for, by {@link
     *     io.parterre.frontend.route.Setback#reason}; must not block
     * @param tracer creates the spans of attempts
     * @param random for the sender's number and for jitter; thread-safe, seeded again for each
     *     start, because two senders with one number would take each other's commands for repeats
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
            // Rethrown, it would end the timer's task, and with it the check of every deadline.
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

    /**
     * Returns the quotas that this front end grants to accounts and tables, as last told by the
     * managers.
     */
    public QuotaLimits quotas() {
        return watch.view().quotas();
    }

    /** Returns the version of the map in use; 0 if there is none yet. */
    public long mapVersion() {
        return watch.view().map().version();
    }

    /** Returns the time since a manager last vouched for the accounts, or since the start. */
    public Duration accountsAge() {
        return watch.accountsAge();
    }

    /** Returns the time since any server last answered anything, or since the start. */
    public Duration silence() {
        return calls.silence();
    }

    /** Ends the requests in flight. Nothing is sent afterwards. */
    @Override
    public void close() {
        watch.close();
        calls.close();
        streams.close();
        timer.shutdownNow();
    }
}
