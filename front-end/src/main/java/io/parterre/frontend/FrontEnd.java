package io.parterre.frontend;

import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.client.ChannelFactory;
import io.parterre.frontend.client.ClusterClient;
import io.parterre.frontend.http.EventLoops;
import io.parterre.frontend.http.HttpRefusal;
import io.parterre.frontend.http.HttpServer;
import io.parterre.frontend.http.ListenException;
import io.parterre.frontend.observe.Observation;
import io.parterre.frontend.observe.TracedHandler;
import io.parterre.frontend.observe.Tracing;
import io.parterre.frontend.quota.QuotaGate;
import io.parterre.frontend.quota.QuotaStore;
import io.parterre.frontend.service.HttpRefusalWording;
import io.parterre.frontend.store.TableStore;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * One front end: clients on one side, the cluster on the other. It listens from the start; calls
 * wait until it knows the cluster, and get 503 if that takes long. Safe for any thread.
 */
public final class FrontEnd implements AutoCloseable {
    /** Enough for an election among the managers; less than clients wait before they try again. */
    private static final Duration MAP_PATIENCE = Duration.ofSeconds(10);

    private final ClusterClient cluster;
    private final HttpServer server;
    private final EventLoops loops;
    private final Observation observation;

    private FrontEnd(
            ClusterClient cluster, HttpServer server, EventLoops loops, Observation observation) {
        this.cluster = cluster;
        this.server = server;
        this.loops = loops;
        this.observation = observation;
    }

    /**
     * Starts to listen and to watch.
     *
     * @param managers the partition managers; their channels stay the caller's
     * @param nodes opens channels to partition servers; the front end closes them
     * @param handlers makes the protocol's handler
     * @param tls context of each client's connection, asked for when it is accepted; empty: plain
     *     HTTP
     * @param tracing of calls; the tracer stays the caller's
     * @throws ListenException if the address is in use or not ours
     */
    public static FrontEnd start(
            FrontEndConfig config,
            ManagerEndpoints managers,
            ChannelFactory nodes,
            BiFunction<AccountDirectory, TableStore, HttpHandler> handlers,
            InstantSource clock,
            MeterRegistry registry,
            Optional<Supplier<SSLContext>> tls,
            Tracing tracing)
            throws ListenException {
        FrontEndMetrics metrics = new FrontEndMetrics(registry);
        LongSupplier nanos = System::nanoTime;
        HttpRefusal.Wording wording =
                new HttpRefusalWording(clock, () -> UUID.randomUUID().toString());
        ClusterClient cluster =
                ClusterClient.start(
                        config.watcher(),
                        config.cluster(),
                        config.entities(),
                        config.accounts(),
                        managers,
                        nodes,
                        EventLoops::current,
                        metrics::setback,
                        tracing.tracer(),
                        clock,
                        nanos,
                        new SecureRandom());
        Observation observation =
                Observation.start(
                        config.observation(),
                        new FileOutputStream(FileDescriptor.out),
                        clock,
                        nanos,
                        registry);
        EventLoops loops = EventLoops.start("http", config.http().eventLoopThreads());
        try {
            HttpHandler handler =
                    new GuardedHandler(
                            handlers.apply(
                                    cluster.accounts(),
                                    new QuotaStore(
                                            cluster.tables(),
                                            new QuotaGate(cluster::quotas, nanos))),
                            cluster.ready(),
                            MAP_PATIENCE,
                            wording,
                            metrics,
                            nanos);
            HttpServer server =
                    HttpServer.start(
                            "tables",
                            config.http(),
                            loops,
                            new TracedHandler(handler, tracing),
                            (refusal, request) -> {
                                metrics.refused(refusal);
                                return wording.answer(refusal, request);
                            },
                            observation,
                            clock,
                            tls);
            metrics.watch(server, cluster::mapVersion, cluster::accountsAge);
            return new FrontEnd(cluster, server, loops, observation);
        } catch (ListenException | RuntimeException failed) {
            cluster.close();
            loops.close();
            observation.close();
            throw failed;
        }
    }

    /** Completes once clients are served: ranges and accounts of the cluster are known. */
    public CompletableFuture<Void> ready() {
        return cluster.ready();
    }

    /** Time since any server last answered anything, or since the start. */
    public Duration silence() {
        return cluster.silence();
    }

    /** How far accounts are trusted now; calls are refused once they are not at all. */
    public AccountsTrust accountsTrust() {
        return cluster.accounts().trust();
    }

    /** Time since a manager last vouched for the accounts. */
    public Duration accountsAge() {
        return cluster.accountsAge();
    }

    /** Where clients are served. */
    public InetSocketAddress address() {
        return server.address();
    }

    /**
     * Serves on for as long as the settings say, stops listening, lets running calls end for a
     * while, then ends the rest. Blocks until then.
     */
    @Override
    public void close() {
        server.close();
        cluster.close();
        // Its connections to the nodes are on them.
        loops.close();
        // Last: the end of each connection is noted.
        observation.close();
    }
}
