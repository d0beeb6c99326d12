package io.parterre.deploy.node;

import io.parterre.concurrent.Stages;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.admin.Readiness;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.store.TableStore;
import io.parterre.key.AccountId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds out whether clients are served, in the same way as their calls: through the router to the
 * leader of a range, which answers only with a valid lease. Thread-safe.
 */
final class ServingProbe implements Readiness {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(5);

    /** The table need not exist; looking for it is a linearizable read. */
    private static final String TABLE = "parterre0readiness";

    /** The account need not exist either. */
    private static final AccountId ANYONE = new AccountId(1);

    static final String UNKNOWN = "cluster map and accounts are not known yet";

    private record Path(AccountDirectory accounts, TableStore tables) {}

    private final Optional<String> account;
    private final InstantSource clock;
    private final AtomicReference<Optional<Path>> path = new AtomicReference<>(Optional.empty());

    private ServingProbe(Optional<String> account, InstantSource clock) {
        this.account = account;
        this.clock = clock;
    }

    /** Returns a probe that reads as this account, which must be known. */
    static ServingProbe as(String account, InstantSource clock) {
        return new ServingProbe(Optional.of(account), clock);
    }

    /** Returns a probe that needs no known account. */
    static ServingProbe asAnyone(InstantSource clock) {
        return new ServingProbe(Optional.empty(), clock);
    }

    /** Uses these to read from here on; before this call nothing counts as served. */
    void use(AccountDirectory accounts, TableStore tables) {
        path.set(Optional.of(new Path(accounts, tables)));
    }

    @Override
    public CompletionStage<Optional<String>> missing() {
        Optional<Path> by = path.get();
        Optional<AccountId> caller = by.flatMap(known -> caller(known.accounts()));
        if (caller.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of(UNKNOWN));
        }
        return by.get()
                .tables()
                .findTable(caller.get(), TABLE, clock.instant().plus(PATIENCE))
                .handle((table, failure) -> Optional.ofNullable(failure).map(ServingProbe::words));
    }

    private Optional<AccountId> caller(AccountDirectory accounts) {
        return account.isEmpty()
                ? Optional.of(ANYONE)
                : accounts.find(account.get()).map(Account::accountId);
    }

    private static String words(Throwable failure) {
        return "a read is not answered: " + Stages.cause(failure).getMessage();
    }

    /** Waits until clients are served. */
    void awaitServing() throws StartException {
        Instant end = clock.instant().plus(StartWait.START_TIMEOUT);
        Optional<String> missing = once();
        while (missing.isPresent() && clock.instant().isBefore(end)) {
            missing = once();
        }
        if (missing.isPresent()) {
            throw new StartException(
                    ExitCode.FAILED,
                    "does not serve after "
                            + StartWait.START_TIMEOUT.toSeconds()
                            + " s: "
                            + missing.get());
        }
    }

    private Optional<String> once() throws StartException {
        Optional<String> missing =
                StartWait.await("an answer to a read", missing().toCompletableFuture());
        if (missing.isPresent()) {
            StartWait.pause(PAUSE);
        }
        return missing;
    }
}
