package io.parterre.frontend.quota;

import io.parterre.error.BusyReason;
import io.parterre.error.Throttle;
import io.parterre.key.AccountId;
import io.parterre.quota.Allowance;
import io.parterre.quota.Limit;
import io.parterre.quota.QuotaLimits;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What is left of each account's and each table's quota at this front end. Thread-safe and
 * lock-free.
 */
public final class QuotaGate {
    /** Most subjects with recent requests that have not regained their whole quota. */
    static final int SUBJECTS_MAX = 20_000;

    /** Seconds of quota that one request may cost at most. */
    private static final int DEBT_SECONDS_MAX = 30;

    private static final long SWEEP_NANOS = Duration.ofSeconds(1).toNanos();

    /** An account, or one of its tables by name in lower case. */
    private record Subject(AccountId accountId, Optional<String> table) {
        Limit of(QuotaLimits limits) {
            return table.isPresent() ? limits.table() : limits.account();
        }
    }

    private final Supplier<QuotaLimits> limits;
    private final LongSupplier nanos;
    private final Map<Subject, AtomicReference<Allowance>> left = new ConcurrentHashMap<>();
    private final AtomicLong sweptNanos;

    /**
     * Creates a gate.
     *
     * @param limits returns what this front end grants now; cheap
     */
    public QuotaGate(Supplier<QuotaLimits> limits, LongSupplier nanos) {
        this.limits = limits;
        this.nanos = nanos;
        this.sweptNanos = new AtomicLong(nanos.getAsLong() - SWEEP_NANOS);
    }

    /**
     * Takes the cost of a request from the quotas of its account and its table, or from neither.
     *
     * @param table the request's table; empty if the request concerns no single table
     * @param entityCount entities that the request writes, or reads at least
     * @return why the request must be refused; empty if it may pass
     */
    Optional<Throttle> take(AccountId accountId, Optional<String> table, int entityCount) {
        QuotaLimits now = limits.get();
        if (now.isNone()) {
            return Optional.empty();
        }
        Subject account = new Subject(accountId, Optional.empty());
        Duration accountWait = take(account, now.account(), entityCount);
        if (!accountWait.isZero()) {
            return Optional.of(new Throttle(BusyReason.ACCOUNT_QUOTA, accountWait));
        }
        if (table.isEmpty()) {
            return Optional.empty();
        }
        Duration tableWait = take(table(accountId, table.get()), now.table(), entityCount);
        if (tableWait.isZero()) {
            return Optional.empty();
        }
        change(account, now.account(), -1, -entityCount);
        return Optional.of(new Throttle(BusyReason.TABLE_QUOTA, tableWait));
    }

    /**
     * Takes the additional cost of a request that has passed, which may leave a debt.
     *
     * @param more returns the number of further entities; not called while there are no limits,
     *     because counting a page means iterating over it
     */
    void charge(AccountId accountId, String table, IntSupplier more) {
        QuotaLimits now = limits.get();
        if (now.isNone()) {
            return;
        }
        int entityCount = more.getAsInt();
        Subject account = new Subject(accountId, Optional.empty());
        change(account, now.account(), 0, debt(entityCount, now.account()));
        change(table(accountId, table), now.table(), 0, debt(entityCount, now.table()));
    }

    /**
     * Bounds the debt, because one query that examines millions must not exclude its account for
     * hours.
     */
    private static int debt(int entityCount, Limit limit) {
        return limit.entities()
                .map(rate -> (int) Math.min(entityCount, rate.perSecond() * DEBT_SECONDS_MAX))
                .orElse(entityCount);
    }

    private static Subject table(AccountId accountId, String name) {
        return new Subject(accountId, Optional.of(name.toLowerCase(Locale.ROOT)));
    }

    private Duration take(Subject subject, Limit limit, int entityCount) {
        if (limit.isNone()) {
            return Duration.ZERO;
        }
        AtomicReference<Allowance> kept = kept(subject);
        while (true) {
            Allowance before = kept.get();
            Allowance now = before.at(nanos.getAsLong(), limit);
            Duration wait = now.until(entityCount, limit);
            if (!wait.isZero() || kept.compareAndSet(before, now.without(1, entityCount))) {
                return wait;
            }
        }
    }

    private void change(Subject subject, Limit limit, int requestCount, int entityCount) {
        if (!limit.isNone()) {
            kept(subject)
                    .updateAndGet(
                            before ->
                                    before.at(nanos.getAsLong(), limit)
                                            .without(requestCount, entityCount));
        }
    }

    private AtomicReference<Allowance> kept(Subject subject) {
        AtomicReference<Allowance> known = left.get(subject);
        if (known != null) {
            return known;
        }
        if (left.size() >= SUBJECTS_MAX) {
            sweep();
        }
        if (left.size() >= SUBJECTS_MAX) {
            // Rather a subject without a quota than unbounded memory.
            return new AtomicReference<>(Allowance.full(nanos.getAsLong()));
        }
        return left.computeIfAbsent(
                subject, any -> new AtomicReference<>(Allowance.full(nanos.getAsLong())));
    }

    /** Forgets subjects that have their whole quota, because a new subject starts with the same. */
    private void sweep() {
        long now = nanos.getAsLong();
        long swept = sweptNanos.get();
        if (now - swept < SWEEP_NANOS || !sweptNanos.compareAndSet(swept, now)) {
            return;
        }
        QuotaLimits limitsNow = limits.get();
        left.entrySet()
                .removeIf(
                        each -> {
                            Limit limit = each.getKey().of(limitsNow);
                            return each.getValue().get().at(now, limit).isFull(limit);
                        });
    }

    int subjects() {
        return left.size();
    }
}
