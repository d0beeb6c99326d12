package io.parterre.frontend.client;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.route.RangeMap;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.WatchRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the partition manager's map. When no manager answers, what was last known goes on being
 * served. Safe for any thread; readers never wait.
 */
final class ManagerWatch implements AccountDirectory, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManagerWatch.class);

    /** A whole map is large; nodes correct most of what is out of date. */
    private static final Duration WHOLE_INTERVAL_MIN = Duration.ofSeconds(1);

    private final String name;
    private final ManagerEndpoints managers;
    private final ClusterClientConfig config;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanos;
    private final Consumer<ClusterView> onChange;
    private final AtomicReference<ClusterView> view = new AtomicReference<>(ClusterView.EMPTY);
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    // Guarded by this.
    private Optional<Stream> stream = Optional.empty();
    private int failures;
    private boolean wholeWanted = true;
    private long wholeAskedNanos;
    private boolean closed;

    /**
     * @param name what the managers' logs call this front end
     * @param onChange told of each update of the manager
     */
    ManagerWatch(
            String name,
            ManagerEndpoints managers,
            ClusterClientConfig config,
            ScheduledExecutorService timer,
            LongSupplier nanos,
            Consumer<ClusterView> onChange) {
        this.name = name;
        this.managers = managers;
        this.config = config;
        this.timer = timer;
        this.nanos = nanos;
        this.onChange = onChange;
        this.wholeAskedNanos = nanos.getAsLong() - WHOLE_INTERVAL_MIN.toNanos();
    }

    /** Completes once ranges and accounts are known. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    ClusterView view() {
        return view.get();
    }

    @Override
    public Optional<Account> find(String accountName) {
        return Optional.ofNullable(view.get().accounts().get(accountName));
    }

    /** Corrects the map by what a node has told. */
    void correct(UnaryOperator<RangeMap> correction) {
        view.updateAndGet(known -> known.withMap(correction.apply(known.map())));
    }

    synchronized void connect() {
        if (closed || stream.isPresent()) {
            return;
        }
        ManagerEndpoint manager = managers.current();
        Stream opened = new Stream(manager);
        stream = Optional.of(opened);
        long known = wholeWanted ? 0 : view.get().map().version();
        if (wholeWanted) {
            wholeAskedNanos = nanos.getAsLong();
        }
        ManagerServiceGrpc.newStub(manager.channel())
                .withMaxInboundMessageSize(config.answerBytesMax())
                .watch(
                        WatchRequest.newBuilder().setWatcher(name).setKnownVersion(known).build(),
                        opened);
    }

    /** Asks for the whole map, since what we know led nowhere; not more than once a second. */
    void refresh() {
        Optional<Stream> old;
        synchronized (this) {
            if (nanos.getAsLong() - wholeAskedNanos < WHOLE_INTERVAL_MIN.toNanos()) {
                return;
            }
            wholeWanted = true;
            wholeAskedNanos = nanos.getAsLong();
            old = stream;
            stream = Optional.empty();
        }
        old.ifPresent(Stream::cancel);
        connect();
    }

    private void take(Stream from, MapUpdate update) {
        synchronized (this) {
            if (!stream.equals(Optional.of(from))) {
                return;
            }
            failures = 0;
            wholeWanted &= !update.getWhole();
        }
        ClusterView now = view.updateAndGet(known -> MapUpdateCodec.apply(known, update));
        onChange.accept(now);
        if (now.isUsable() && ready.complete(null)) {
            LOG.info(
                    "cluster map received version={} ranges={} accounts={}",
                    now.map().version(),
                    now.map().size(),
                    now.accounts().size());
        }
    }

    private void ended(Stream ended, Throwable cause) {
        Duration delay;
        synchronized (this) {
            if (closed || !stream.equals(Optional.of(ended))) {
                return;
            }
            stream = Optional.empty();
            managers.failed(ended.manager, cause);
            delay = config.reconnectDelayMin().multipliedBy(1L << Math.min(failures, 20));
            failures++;
        }
        if (delay.compareTo(config.reconnectDelayMax()) > 0) {
            delay = config.reconnectDelayMax();
        }
        LOG.warn(
                "watch of the cluster map ended manager={} cause={}",
                ended.manager.address(),
                cause.getMessage());
        try {
            timer.schedule(this::connect, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.debug("watch not reopened: the front end closes");
        }
    }

    @Override
    public void close() {
        Optional<Stream> old;
        synchronized (this) {
            closed = true;
            old = stream;
            stream = Optional.empty();
        }
        old.ifPresent(Stream::cancel);
    }

    /** One call to one manager. */
    private final class Stream implements ClientResponseObserver<WatchRequest, MapUpdate> {
        private final ManagerEndpoint manager;
        private volatile ClientCallStreamObserver<WatchRequest> call;

        Stream(ManagerEndpoint manager) {
            this.manager = manager;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
            call = started;
        }

        @Override
        public void onNext(MapUpdate update) {
            try {
                take(this, update);
            } catch (IllegalArgumentException malformed) {
                LOG.error("map update refused manager={}", manager.address(), malformed);
                cancel();
                ended(this, malformed);
            }
        }

        @Override
        public void onError(Throwable cause) {
            ended(this, cause);
        }

        @Override
        public void onCompleted() {
            ended(this, new IllegalStateException("the manager ended the watch"));
        }

        void cancel() {
            call.cancel("front end ends the watch", null);
        }
    }
}
