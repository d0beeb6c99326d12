package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.opentelemetry.api.trace.Tracer;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.store.ServerStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The RangeService of this node. Safe for any thread. */
public final class RangeServer extends RangeServiceGrpc.RangeServiceImplBase
        implements AutoCloseable {
    private static final Duration EXPIRY_INTERVAL = Duration.ofMillis(50);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private final RpcConfig config;
    private final Dispatcher dispatcher;
    private final MemoryBudget memory;
    private final TrampolineExecutor executor;
    private final PartitionServerMetrics metrics;
    private final Tracer tracer;
    private final LongSupplier nanoTicker;
    private final ScheduledFuture<?> expiry;
    private final Set<ExchangeStream> streams = ConcurrentHashMap.newKeySet();
    private final Object streamEnded = new Object();
    private volatile boolean closing;

    /**
     * Makes a service.
     *
     * @param executor sends answers
     * @param scheduler ends calls whose time is up; its tasks here do not block
     * @param tracer makes spans of requests whose senders have some
     */
    public RangeServer(
            RpcConfig config,
            Replicas replicas,
            ServerStore store,
            TrampolineExecutor executor,
            ScheduledExecutorService scheduler,
            PartitionServerMetrics metrics,
            Tracer tracer,
            LongSupplier nanoTicker) {
        this.config = config;
        this.executor = executor;
        this.metrics = metrics;
        this.tracer = tracer;
        this.nanoTicker = nanoTicker;
        this.memory = new MemoryBudget(config.bytesInFlightMax(), config.scanBytesMax());
        this.dispatcher =
                new Dispatcher(
                        replicas,
                        new RangeReads(replicas, store, config, nanoTicker, metrics),
                        config,
                        memory,
                        executor,
                        scheduler,
                        metrics,
                        nanoTicker);
        this.expiry =
                scheduler.scheduleWithFixedDelay(
                        this::expire,
                        EXPIRY_INTERVAL.toMillis(),
                        EXPIRY_INTERVAL.toMillis(),
                        TimeUnit.MILLISECONDS);
        metrics.gauge(
                "partition_server_queued_point_reads",
                "Point reads waiting for a thread",
                dispatcher,
                Dispatcher::waitingPointReads);
        metrics.gauge(
                "partition_server_queued_scans",
                "Scans waiting for a thread",
                dispatcher,
                Dispatcher::waitingScans);
        metrics.gauge(
                "partition_server_queued_commands",
                "Commands accepted and not yet answered",
                replicas,
                held -> held.all().stream().mapToLong(Replica::heldCommands).sum());
        metrics.gauge(
                "partition_server_log_entries",
                "Log entries retained by all ranges, each with a record in the heap",
                replicas,
                held -> held.logs().logEntries());
        metrics.gauge(
                "partition_server_replicas", "Replicas held", replicas, held -> held.all().size());
        metrics.gauge(
                "partition_server_led_ranges",
                "Replicas that lead their range",
                replicas,
                held -> held.all().stream().filter(Replica::isLeading).count());
        metrics.gauge(
                "partition_server_in_flight_bytes",
                "Memory of requests taken and answers not yet sent",
                memory,
                MemoryBudget::heldBytes);
    }

    /**
     * Retries waiting requests, because a replica of the node has become a leader or its range has
     * changed. Never blocks.
     */
    public void changed() {
        dispatcher.changed();
    }

    @Override
    public StreamObserver<RequestBundle> exchange(StreamObserver<ResponseBundle> responses) {
        ExchangeStream stream =
                new ExchangeStream(
                        (ServerCallStreamObserver<ResponseBundle>) responses,
                        dispatcher::dispatch,
                        dispatcher::refused,
                        config,
                        memory,
                        executor,
                        metrics,
                        tracer,
                        nanoTicker,
                        this::ended);
        streams.add(stream);
        if (closing) {
            stream.close(stopping());
        }
        return stream;
    }

    private void ended(ExchangeStream stream) {
        streams.remove(stream);
        synchronized (streamEnded) {
            streamEnded.notifyAll();
        }
    }

    private void expire() {
        long now = nanoTicker.getAsLong();
        streams.forEach(stream -> stream.expire(now));
        dispatcher.forgetGoneRanges();
    }

    private static Status stopping() {
        return Status.UNAVAILABLE.withDescription("the node is stopping");
    }

    /** Takes no more requests, answers the accepted ones while that lasts, and ends all streams. */
    @Override
    public void close() {
        endStreams();
        awaitStreams();
        end();
    }

    /** Ends as a killed process does: callers that wait for an answer get a broken stream. */
    public void abandon() {
        endStreams();
        end();
    }

    private void endStreams() {
        closing = true;
        streams.forEach(stream -> stream.close(stopping()));
    }

    private void end() {
        expiry.cancel(false);
        dispatcher.close();
    }

    private void awaitStreams() {
        long end = nanoTicker.getAsLong() + CLOSE_WAIT.toNanos();
        synchronized (streamEnded) {
            long left = end - nanoTicker.getAsLong();
            while (!streams.isEmpty() && left > 0) {
                try {
                    streamEnded.wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return;
                }
                left = end - nanoTicker.getAsLong();
            }
        }
    }
}
