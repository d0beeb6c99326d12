package io.parterre.server.change;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a server that stops waits for the disruption permit: until the server holds it, no
 * longer than the time for it, and not where the wait is hopeless. Immutable; safe for any thread.
 *
 * @param timeMax from the first request
 */
public record StopPermitWait(Duration timeMax) {
    /** Managers elect a leader in a few seconds; one that stops has to wait no longer for them. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(15);

    /**
     * A manager's answer to a request for the permit.
     *
     * @param whyNot empty: it is held, or the manager grants none this way
     * @param atNanos when it came, by the ticker
     */
    public record Answer(boolean held, String whyNot, long atNanos) {}

    /**
     * The wait is over.
     *
     * @param why the server stops without the permit; empty: it holds the permit
     */
    public record End(Optional<String> why) {
        public boolean held() {
            return why.isEmpty();
        }
    }

    /**
     * Whether the wait is over; empty: it goes on.
     *
     * @param begunNanos when the permit was asked for first
     * @param last answer to a request
     * @param hopeless why no manager can grant it; empty: it can be granted, as far as known
     * @param nowNanos by the ticker
     */
    public Optional<End> on(
            long begunNanos, Optional<Answer> last, Optional<String> hopeless, long nowNanos) {
        if (last.filter(Answer::held).isPresent()) {
            return Optional.of(new End(Optional.empty()));
        }
        if (hopeless.isPresent()) {
            return Optional.of(new End(hopeless));
        }
        if (last.filter(answer -> answer.whyNot().isEmpty()).isPresent()) {
            return without("the partition manager's release grants none to a server that stops");
        }
        if (nowNanos - begunNanos >= timeMax.toNanos()) {
            return without(
                    "none within "
                            + timeMax.toSeconds()
                            + " s: "
                            + last.map(Answer::whyNot).orElse("no partition manager has answered"));
        }
        return nowNanos - last.map(Answer::atNanos).orElse(begunNanos) >= SILENCE_MAX.toNanos()
                ? without("no partition manager has answered for " + SILENCE_MAX.toSeconds() + " s")
                : Optional.empty();
    }

    private static Optional<End> without(String why) {
        return Optional.of(new End(Optional.of(why)));
    }
}
