package io.parterre.frontend.service;

import io.parterre.frontend.settings.CorsPolicy;
import io.parterre.frontend.store.TableStore;
import io.parterre.key.AccountId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * CORS rules of accounts, as read at most {@link #AGE_MAX} ago. An account's rules are read when a
 * script first asks; only one read of an account is in flight at a time. Holds at most the accounts
 * of the cluster. Never blocks; thread-safe.
 */
final class CorsPolicies {
    /** How long rules are cached; after this time rules set at another front end are in force. */
    static final Duration AGE_MAX = Duration.ofSeconds(30);

    /** How long a request waits for the rules. */
    private static final Duration READING_MAX = Duration.ofSeconds(5);

    private final TableStore store;
    private final InstantSource clock;
    private final Map<AccountId, Reading> readings = new ConcurrentHashMap<>();

    private record Reading(Instant begunAt, CompletableFuture<CorsPolicy> policy) {
        /**
         * Returns whether the rules may be used. Before the start of the read they may not, because
         * a clock that is set back would otherwise keep them for hours.
         */
        boolean isGoodAt(Instant now) {
            return !now.isBefore(begunAt) && now.isBefore(begunAt.plus(AGE_MAX));
        }
    }

    CorsPolicies(TableStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Returns the rules of an account. Fails as {@link TableStore#serviceProperties} does. */
    CompletionStage<CorsPolicy> of(AccountId accountId) {
        Instant now = clock.instant();
        Reading known = readings.get(accountId);
        if (known != null && known.isGoodAt(now)) {
            return known.policy();
        }
        Reading begun = new Reading(now, new CompletableFuture<>());
        boolean first =
                known == null
                        ? readings.putIfAbsent(accountId, begun) == null
                        : readings.replace(accountId, known, begun);
        if (!first) {
            return of(accountId);
        }
        store.serviceProperties(accountId, now.plus(READING_MAX))
                .whenComplete(
                        (properties, failure) -> {
                            if (failure == null) {
                                begun.policy().complete(new CorsPolicy(properties.cors()));
                            } else {
                                readings.remove(accountId, begun);
                                begun.policy().completeExceptionally(failure);
                            }
                        });
        return begun.policy();
    }

    /** Drops the cached rules of an account, because they have changed. */
    void changed(AccountId accountId) {
        readings.remove(accountId);
    }
}
