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
 * One front end: serves clients over HTTP and asks the cluster on their behalf. It listens from the
 * start. Calls wait until the front end knows the cluster's map and accounts, and get 503 if that
 * takes long. Thread-safe.
 */
public final class FrontEnd implements AutoCloseable {
    /**
     * How long calls wait for the map: long enough for an election among the managers, shorter than
     * clients wait before they retry.
     */
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
     * Starts to listen and to watch the managers.
     *
     * @param managers the partition managers; the caller closes their channels
     * @param nodes opens channels to partition servers; the front end closes the channels
     * @param handlers makes the protocol's handler
     * @param tls supplies the TLS context of a client's connection when the connection is accepted;
     *     empty for plain HTTP
     * @param tracing tracing of calls; the caller closes the tracer
     * @throws ListenException if the address is in use or does not belong to this machine
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
                            config.connectionsMax(),
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

    /**
     * Completes once the ranges and accounts of the cluster are known, so that clients are served.
     */
    public CompletableFuture<Void> ready() {
        return cluster.ready();
    }

    /** Returns the time since any server last answered anything, or since the start. */
    public Duration silence() {
        return cluster.silence();
    }

    /** Returns how far accounts are trusted now. Calls are refused when the trust has expired. */
    public AccountsTrust accountsTrust() {
        return cluster.accounts().trust();
    }

    /** Returns the time since a manager last vouched for the accounts. */
    public Duration accountsAge() {
        return cluster.accountsAge();
    }

    /** Returns the address at which clients are served. */
    public InetSocketAddress address() {
        return server.address();
    }

    /**
     * Keeps serving for the configured time, stops listening, lets running calls finish for a
     * while, then aborts the rest. Blocks until all of this is done.
     */
    @Override
    public void close() {
        server.close();
        cluster.close();
        // After the cluster: the cluster's connections to nodes run on these event loops.
        loops.close();
        // Last, because the end of each connection is still observed.
        observation.close();
    }
}
