package io.parterre.deploy.exercise;

import java.time.Duration;
import java.util.Optional;

/**
 * When a call is retried: like the Azure SDKs by default, three times after 0.8, 1.6 and 3.2
 * seconds, if there was no answer or one that asks for a retry. Pure; thread-safe.
 *
 * <p>Source: {@code RetryPolicy} and {@code ExponentialBackoff} of azure-core.
 *
 * @param retriesMax attempts beyond the first
 * @param first backoff before the second attempt; each later one is twice as long
 */
record Retries(int retriesMax, Duration first) {
    static final Retries OF_SDKS = new Retries(3, Duration.ofMillis(800));

    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_FAULT = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int VERSION_NOT_SUPPORTED = 505;

    /**
     * Returns the backoff before the next attempt.
     *
     * @param tried attempts so far, at least one
     * @return empty if there is no next attempt
     */
    Optional<Duration> pauseAfter(int tried, Answer last) {
        return tried <= retriesMax && isWorthAnother(last)
                ? Optional.of(first.multipliedBy(1L << (tried - 1)))
                : Optional.empty();
    }

    private static boolean isWorthAnother(Answer answer) {
        int status = answer.status();
        return status == Answer.NONE
                || status == REQUEST_TIMEOUT
                || status == TOO_MANY_REQUESTS
                || status >= SERVER_FAULT
                        && status != NOT_IMPLEMENTED
                        && status != VERSION_NOT_SUPPORTED;
    }
}
