package io.parterre.frontend.client;

import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.route.RangeMap;
import io.parterre.proto.manager.FeatureLevels;
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
 * Watches the partition manager's map. When no manager answers, the last known map stays in use,
 * and the accounts for as long as {@link AccountsConfig} allows. Thread-safe; readers never wait.
 */
final class ManagerWatch implements AccountDirectory, WatchStream.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManagerWatch.class);

    private static final FeatureLevels READABLE =
            FeatureLevels.newBuilder()
                    .setOldest(io.parterre.release.FeatureLevels.OF_RELEASE.oldest().value())
                    .setNewest(io.parterre.release.FeatureLevels.OF_RELEASE.newest().value())
                    .build();

    /** Interval between two calls of {@link #confirm}; far below any maximum age of accounts. */
    static final Duration CONFIRM_INTERVAL = Duration.ofSeconds(1);

    private final FrontEndName name;
    private final String instance;
    private final ManagerEndpoints managers;
    private final ClusterClientConfig config;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanos;
    private volatile Consumer<ClusterView> onUpdate = view -> {};
    private final AtomicReference<ClusterView> view = new AtomicReference<>(ClusterView.EMPTY);
    private final AccountsVouching vouching;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    // Guarded by this.
    private Optional<WatchStream> stream = Optional.empty();
    private WatchProgress progress;
    private boolean closed;

    /**
     * Creates a watch without connecting it.
     *
     * @param name what the managers are told of this front end
     * @param instance distinguishes this start of the front end from all others
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
        this.managers = managers;
        this.config = config;
        this.timer = timer;
        this.nanos = nanos;
        this.vouching = new AccountsVouching(instance, accounts, view::get, nanos);
        this.progress = WatchProgress.atStart(nanos.getAsLong());
    }

    /**
     * Sets the listener that is called for each update of the manager. To be called before {@link
     * #connect}.
     */
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
        return vouching.trust();
    }

    /** Returns the time since a manager last vouched for the accounts, or since the start. */
    Duration accountsAge() {
        return vouching.age();
    }

    /** Corrects the map by what a node has answered. */
    void correct(UnaryOperator<RangeMap> correction) {
        view.updateAndGet(known -> known.withMap(correction.apply(known.map())));
    }

    void connect() {
        WatchStream opened;
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
            opened = new WatchStream(managers.current(), this);
            stream = Optional.of(opened);
            progress = progress.opened(nanos.getAsLong());
            if (!progress.wholeWanted()) {
                ClusterView known = view.get();
                request.setKnownVersion(known.map().version()).setKnownClusterId(known.clusterId());
            }
        }
        // Not under our lock, because within one process the manager may answer on this very
        // thread.
        opened.start(request.build(), config.answerBytesMax());
    }

    /**
     * Asks for the whole map, because the known map routed a request in vain; at most once a
     * second.
     */
    void refresh() {
        Optional<WatchStream> old;
        synchronized (this) {
            if (!progress.mayRefresh(nanos.getAsLong())) {
                return;
            }
            progress = progress.refreshed(nanos.getAsLong());
            old = stream;
            stream = Optional.empty();
        }
        old.ifPresent(WatchStream::cancel);
        connect();
    }

    @Override
    public void updated(WatchStream from, MapUpdate update) {
        synchronized (this) {
            if (!stream.equals(Optional.of(from))) {
                return;
            }
            progress = progress.updated(update.getWhole());
        }
        managers.learned(update.getManagersList());
        ClusterView now = view.updateAndGet(known -> MapUpdateCodec.apply(known, update));
        vouching.holding(now.map().version());
        onUpdate.accept(now);
        if (MapUpdateCodec.tellsAccounts(update)) {
            // Not on this thread, because within one process the manager is still sending on it.
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

    @Override
    public void ended(WatchStream ended, Throwable cause) {
        Duration delay;
        boolean first;
        synchronized (this) {
            if (closed || !stream.equals(Optional.of(ended))) {
                return;
            }
            stream = Optional.empty();
            managers.failed(ended.manager(), cause);
            delay = config.reconnectDelay(progress.failures());
            first = progress.failures() == 0;
            progress = progress.ended();
        }
        // One warning for the first failure, not one for each retry.
        LOG.atLevel(first ? Level.WARN : Level.DEBUG)
                .log(
                        "watch of the cluster map ended manager={} cause={}",
                        ended.manager().address(),
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
     * Tells the watched manager which version is held, and learns whether this manager still leads.
     * To be called periodically; does not fail.
     */
    void confirm() {
        try {
            Optional<WatchStream> watched;
            synchronized (this) {
                watched = stream.filter(WatchStream::hasBrought);
            }
            watched.ifPresent(open -> vouching.ask(open, false, this::watches));
            vouching.tellTrust();
        } catch (RuntimeException bug) {
            // Rethrown, it would end the timer's task.
            LOG.error("map not confirmed", bug);
        }
    }

    private synchronized boolean watches(WatchStream one) {
        return stream.equals(Optional.of(one));
    }

    @Override
    public void close() {
        Optional<WatchStream> old;
        synchronized (this) {
            closed = true;
            old = stream;
            stream = Optional.empty();
        }
        old.ifPresent(
                last -> {
                    vouching.ask(last, true, this::watches);
                    last.cancel();
                });
    }
}
