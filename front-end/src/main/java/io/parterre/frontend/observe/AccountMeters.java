package io.parterre.frontend.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Meters by account, for authenticated requests only, because names that any client can make up
 * would fill the registry. Thread-safe.
 */
final class AccountMeters {
    /** Label of all accounts without meters of their own; no account has this name. */
    static final String OTHERS = "(others)";

    private final MeterRegistry registry;
    private final int accountsMax;
    private final Map<String, String> labels = new ConcurrentHashMap<>();
    private final Map<Answered, Counter> answers = new ConcurrentHashMap<>();
    private final Map<String, Account> accounts = new ConcurrentHashMap<>();

    private record Answered(String account, String outcome) {}

    private record Account(Timer time, Counter received, Counter sent) {}

    AccountMeters(MeterRegistry registry, int accountsMax) {
        this.registry = registry;
        this.accountsMax = accountsMax;
    }

    void count(RequestRecord request) {
        if (accountsMax == 0 || request.caller().isEmpty()) {
            return;
        }
        String account = label(request.caller().get());
        answers.computeIfAbsent(new Answered(account, outcome(request)), this::counter).increment();
        Account meters = accounts.computeIfAbsent(account, this::account);
        meters.time().record(request.totalNanos(), TimeUnit.NANOSECONDS);
        meters.received().increment(request.receivedBytes());
        meters.sent().increment(request.sentBytes());
    }

    private String label(String account) {
        String known = labels.get(account);
        if (known != null) {
            return known;
        }
        synchronized (labels) {
            // Only accounts with meters of their own are kept.
            if (labels.size() >= accountsMax) {
                return labels.getOrDefault(account, OTHERS);
            }
            return labels.computeIfAbsent(account, name -> name);
        }
    }

    private static String outcome(RequestRecord request) {
        int status = request.status();
        if (status == 503) {
            return "throttled";
        }
        if (status >= 500 || status == 0) {
            return "failed";
        }
        return status >= 400 ? "refused" : "done";
    }

    private Counter counter(Answered answered) {
        return Counter.builder("front_end_account_requests_total")
                .description("Requests whose caller was proved, by account")
                .tag("account", answered.account())
                .tag("outcome", answered.outcome())
                .register(registry);
    }

    private Account account(String account) {
        return new Account(
                Timer.builder("front_end_account_request_seconds")
                        .description("Time from the head of a request to the end of its answer")
                        .tag("account", account)
                        .register(registry),
                bytes(account, "received"),
                bytes(account, "sent"));
    }

    private Counter bytes(String account, String direction) {
        return Counter.builder("front_end_account_bytes_total")
                .description("Bytes of requests and answers, heads included")
                .tag("account", account)
                .tag("direction", direction)
                .register(registry);
    }
}
