package io.parterre.frontend.client;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.route.RangeMap;
import io.parterre.proto.manager.ConfirmMapRequest;
import io.parterre.proto.manager.ConfirmMapResponse;
import io.parterre.proto.manager.FeatureLevels;
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
import org.slf4j.event.Level;

/**
 * Follows the partition manager's map. When no manager answers, what was last known goes on being
 * served, accounts for as long as {@link AccountsConfig} says. Safe for any thread; readers never
 * wait.
 */
final class ManagerWatch implements AccountDirectory, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManagerWatch.class);

    /** A whole map is large; nodes correct most of what is out of date. */
    private static final Duration WHOLE_INTERVAL_MIN = Duration.ofSeconds(1);

    private static final FeatureLevels READABLE =
            FeatureLevels.newBuilder()
                    .setOldest(io.parterre.release.FeatureLevels.OF_RELEASE.oldest().value())
                    .setNewest(io.parterre.release.FeatureLevels.OF_RELEASE.newest().value())
                    .build();

    /** Between two calls of {@link #confirm}; far below any greatest age of accounts. */
    static final Duration CONFIRM_INTERVAL = Duration.ofSeconds(1);

    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(2);

    private final FrontEndName name;
    private final String instance;
    private final ManagerEndpoints managers;
    private final ClusterClientConfig config;
    private final AccountsConfig accounts;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanos;
    private volatile Consumer<ClusterView> onUpdate = view -> {};
    private final AtomicReference<ClusterView> view = new AtomicReference<>(ClusterView.EMPTY);
    private final AtomicReference<Vouched> vouched;
    private final AtomicReference<AccountsTrust> toldTrust =
            new AtomicReference<>(AccountsTrust.CURRENT);
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    // Guarded by this.
    private Optional<Stream> stream = Optional.empty();
    private int failures;
    private boolean wholeWanted = true;
    private long wholeAskedNanos;
    private boolean closed;

    /**
     * Connects to nobody yet.
     *
     * @param name what the managers are told of this front end
     * @param instance tells this start of it from all others
     */
    ManagerWatch(
            FrontEndName name,
            String instance,
            ManagerEndpoints managers,
            ClusterClientConfig config,
            AccountsConfig accounts,
            ScheduledExecutorService timer,
            LongSupplier nanos) {
        this.name = name;
        this.instance = instance;
        this.accounts = accounts;
        this.vouched = new AtomicReference<>(Vouched.at(nanos.getAsLong()));
        this.managers = managers;
        this.config = config;
        this.timer = timer;
        this.nanos = nanos;
        this.wholeAskedNanos = nanos.getAsLong() - WHOLE_INTERVAL_MIN.toNanos();
    }

    /** Has this told of each update of the manager. To be called before {@link #connect}. */
    void onUpdate(Consumer<ClusterView> listener) {
        onUpdate = listener;
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

    @Override
    public AccountsTrust trust() {
        return accounts.trust(accountsAge());
    }

    /** Time since a manager last vouched for the accounts, or since the start. */
    Duration accountsAge() {
        return Duration.ofNanos(Math.max(0, nanos.getAsLong() - vouched.get().nanos()));
    }

    /** Corrects the map by what a node has told. */
    void correct(UnaryOperator<RangeMap> correction) {
        view.updateAndGet(known -> known.withMap(correction.apply(known.map())));
    }

    void connect() {
        Stream opened;
        WatchRequest.Builder request =
                WatchRequest.newBuilder()
                        .setWatcher(name.name())
                        .setAddress(name.address())
                        .setRelease(name.release())
                        .setFeatureLevels(READABLE)
                        .setInstance(instance);
        synchronized (this) {
            if (closed || stream.isPresent()) {
                return;
            }
            opened = new Stream(managers.current());
            stream = Optional.of(opened);
            if (wholeWanted) {
                wholeAskedNanos = nanos.getAsLong();
            } else {
                ClusterView known = view.get();
                request.setKnownVersion(known.map().version()).setKnownClusterId(known.clusterId());
            }
        }
        // Not under our lock: within one process the manager may answer on this very thread.
        opened.start(request.build());
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
        managers.learned(update.getManagersList());
        ClusterView now = view.updateAndGet(known -> MapUpdateCodec.apply(known, update));
        vouched.updateAndGet(known -> known.holding(now.map().version()));
        onUpdate.accept(now);
        if (update.getWhole()
                || update.getAccountsCount() > 0
                || update.getRemovedAccountsCount() > 0) {
            // Not on this thread: within one process the manager is still sending on it.
            soon(this::confirm);
        }
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
        boolean first;
        synchronized (this) {
            if (closed || !stream.equals(Optional.of(ended))) {
                return;
            }
            stream = Optional.empty();
            managers.failed(ended.manager, cause);
            delay = config.reconnectDelayMin().multipliedBy(1L << Math.min(failures, 20));
            first = failures == 0;
            failures++;
        }
        if (delay.compareTo(config.reconnectDelayMax()) > 0) {
            delay = config.reconnectDelayMax();
        }
        // Once, not for every try of many.
        LOG.atLevel(first ? Level.WARN : Level.DEBUG)
                .log(
                        "watch of the cluster map ended manager={} cause={}",
                        ended.manager.address(),
                        cause.getMessage());
        try {
            timer.schedule(this::connect, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.debug("watch not reopened: the front end closes");
        }
    }

    private void soon(Runnable task) {
        try {
            timer.execute(task);
        } catch (RejectedExecutionException closing) {
            LOG.debug("map not confirmed: the front end closes");
        }
    }

    /**
     * Tells the manager that is watched which version is held, and learns that it still leads. To
     * be called again and again; does not fail.
     */
    void confirm() {
        try {
            Optional<Stream> watched;
            synchronized (this) {
                watched = stream.filter(open -> open.brought);
            }
            watched.ifPresent(open -> ask(open, false));
            tellTrust();
        } catch (RuntimeException bug) {
            // Thrown on, it would end the timer's task.
            LOG.error("map not confirmed", bug);
        }
    }

    private void ask(Stream watched, boolean leaving) {
        ClusterView held = view.get();
        long askedNanos = nanos.getAsLong();
        ManagerServiceGrpc.newStub(watched.manager.channel())
                .withDeadlineAfter(CONFIRM_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .confirmMap(
                        ConfirmMapRequest.newBuilder()
                                .setInstance(instance)
                                .setVersion(held.map().version())
                                .setClusterId(held.clusterId())
                                .setLeaving(leaving)
                                .build(),
                        new Confirmation(watched, askedNanos));
    }

    private void answered(long askedNanos, long version) {
        vouched.updateAndGet(
                known -> known.answered(askedNanos, version, view.get().map().version()));
    }

    private synchronized boolean watches(Stream one) {
        return stream.equals(Optional.of(one));
    }

    private void tellTrust() {
        AccountsTrust now = trust();
        if (toldTrust.getAndSet(now) == now) {
            return;
        }
        long ageSeconds = accountsAge().toSeconds();
        long ageMaxSeconds = accounts.ageMax().toSeconds();
        switch (now) {
            case CURRENT ->
                    LOG.info("accounts are vouched for again ageMaxSeconds={}", ageMaxSeconds);
            case AGING ->
                    LOG.warn(
                            "no manager vouches for accounts; calls are refused at ageMaxSeconds"
                                    + " ageSeconds={} ageMaxSeconds={}",
                            ageSeconds,
                            ageMaxSeconds);
            case EXPIRED ->
                    LOG.error(
                            "calls are refused: no manager vouches for accounts ageSeconds={}"
                                    + " ageMaxSeconds={}",
                            ageSeconds,
                            ageMaxSeconds);
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
        old.ifPresent(
                last -> {
                    ask(last, true);
                    last.cancel();
                });
    }

    /** Takes a manager's answer to one confirmation. */
    private final class Confirmation implements StreamObserver<ConfirmMapResponse> {
        private final Stream watched;
        private final long askedNanos;

        Confirmation(Stream watched, long askedNanos) {
            this.watched = watched;
            this.askedNanos = askedNanos;
        }

        @Override
        public void onNext(ConfirmMapResponse answer) {
            answered(askedNanos, answer.getVersion());
        }

        @Override
        public void onError(Throwable cause) {
            // One of an earlier release vouches by keeping the watch open.
            boolean unknown = Status.fromThrowable(cause).getCode() == Status.Code.UNIMPLEMENTED;
            if (unknown && watches(watched)) {
                answered(askedNanos, view.get().map().version());
            } else {
                LOG.debug("map not confirmed cause={}", cause.getMessage());
            }
        }

        @Override
        public void onCompleted() {
            // All is in the one answer.
        }
    }

    /** One call to one manager. */
    private final class Stream implements ClientResponseObserver<WatchRequest, MapUpdate> {
        private final ManagerEndpoint manager;
        // Guarded by this stream.
        private Optional<ClientCallStreamObserver<WatchRequest>> call = Optional.empty();
        private boolean cancelled;

        /** Whether an update has come: what is held is from this manager. */
        private volatile boolean brought;

        // Of gRPC's thread alone.
        private Optional<MapUpdate.Builder> begun = Optional.empty();

        Stream(ManagerEndpoint manager) {
            this.manager = manager;
        }

        void start(WatchRequest request) {
            ManagerServiceGrpc.newStub(manager.channel())
                    .withMaxInboundMessageSize(config.answerBytesMax())
                    .watch(request, this);
            boolean late;
            synchronized (this) {
                late = cancelled;
            }
            if (late) {
                cancel();
            }
        }

        @Override
        public synchronized void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
            call = Optional.of(started);
        }

        /** A large update comes in parts; until the last one it is none. */
        @Override
        public void onNext(MapUpdate part) {
            MapUpdate.Builder whole =
                    begun.map(earlier -> earlier.mergeFrom(part)).orElseGet(part::toBuilder);
            if (part.getMore()) {
                begun = Optional.of(whole);
                return;
            }
            begun = Optional.empty();
            MapUpdate update = whole.build();
            brought = true;
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
            Optional<ClientCallStreamObserver<WatchRequest>> running;
            synchronized (this) {
                cancelled = true;
                running = call;
            }
            running.ifPresent(started -> started.cancel("front end ends the watch", null));
        }
    }
}
