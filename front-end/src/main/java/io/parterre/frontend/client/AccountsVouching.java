package io.parterre.frontend.client;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.proto.manager.ConfirmMapRequest;
import io.parterre.proto.manager.ConfirmMapResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the watched manager to vouch for the map and the accounts held here, and derives how far
 * accounts are trusted. Thread-safe.
 */
final class AccountsVouching {
    private static final Logger LOG = LoggerFactory.getLogger(AccountsVouching.class);

    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(2);

    private final String instance;
    private final AccountsConfig accounts;
    private final Supplier<ClusterView> view;
    private final LongSupplier nanos;
    private final AtomicReference<Vouched> vouched;
    private final AtomicReference<AccountsTrust> toldTrust =
            new AtomicReference<>(AccountsTrust.CURRENT);

    /**
     * Starts the age now, as if a manager had just vouched.
     *
     * @param instance distinguishes this start of the front end from all others
     * @param view supplies what this front end holds
     */
    AccountsVouching(
            String instance,
            AccountsConfig accounts,
            Supplier<ClusterView> view,
            LongSupplier nanos) {
        this.instance = instance;
        this.accounts = accounts;
        this.view = view;
        this.nanos = nanos;
        this.vouched = new AtomicReference<>(Vouched.at(nanos.getAsLong()));
    }

    AccountsTrust trust() {
        return accounts.trust(age());
    }

    /** Returns the time since a manager last vouched for the accounts, or since the start. */
    Duration age() {
        return Duration.ofNanos(Math.max(0, nanos.getAsLong() - vouched.get().nanos()));
    }

    /** Notes that this version of the map is held now. */
    void holding(long version) {
        vouched.updateAndGet(known -> known.holding(version));
    }

    /**
     * Tells a manager which version of the map is held, and learns the manager's version.
     *
     * @param leaving whether this front end ends its watch
     * @param watched tests whether a stream is still the watched one
     */
    void ask(WatchStream stream, boolean leaving, Predicate<WatchStream> watched) {
        ClusterView held = view.get();
        long askedNanos = nanos.getAsLong();
        ManagerServiceGrpc.newStub(stream.manager().channel())
                .withDeadlineAfter(CONFIRM_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .confirmMap(
                        ConfirmMapRequest.newBuilder()
                                .setInstance(instance)
                                .setVersion(held.map().version())
                                .setClusterId(held.clusterId())
                                .setLeaving(leaving)
                                .build(),
                        new StreamObserver<>() {
                            @Override
                            public void onNext(ConfirmMapResponse answer) {
                                answered(askedNanos, answer.getVersion());
                            }

                            @Override
                            public void onError(Throwable cause) {
                                // A manager of an earlier release does not know this call; it
                                // vouches by keeping the watch open.
                                boolean unknown =
                                        Status.fromThrowable(cause).getCode()
                                                == Status.Code.UNIMPLEMENTED;
                                if (unknown && watched.test(stream)) {
                                    answered(askedNanos, view.get().map().version());
                                } else {
                                    LOG.debug("map not confirmed cause={}", cause.getMessage());
                                }
                            }

                            @Override
                            public void onCompleted() {
                                // The call is unary: everything is in the one answer.
                            }
                        });
    }

    private void answered(long askedNanos, long version) {
        vouched.updateAndGet(
                known -> known.answered(askedNanos, version, view.get().map().version()));
    }

    /** Logs how far accounts are trusted, if this has changed. */
    void tellTrust() {
        AccountsTrust now = trust();
        if (toldTrust.getAndSet(now) == now) {
            return;
        }
        long ageSeconds = age().toSeconds();
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
}
