package io.parterre.server.change;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides how long a stopping server waits for the disruption permit: until it holds the permit,
 * until the time is over, or until the wait is hopeless. Immutable; safe for any thread.
 *
 * @param timeMax longest wait, from the first request
 */
public record StopPermitWait(Duration timeMax) {
    /**
     * Managers elect a leader in a few seconds, so a stopping server need not wait longer for them.
     */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(15);

    /**
     * A manager's answer to a request for the permit.
     *
     * @param held whether the server holds the permit
     * @param whyNot reason of a refusal; empty if the permit is held, or the manager grants none
     *     this way
     * @param atNanos ticker time at which the answer came
     */
    public record Answer(boolean held, String whyNot, long atNanos) {}

    /**
     * The end of the wait.
     *
     * @param why reason why the server stops without the permit; empty if it holds the permit
     */
    public record End(Optional<String> why) {
        public boolean held() {
            return why.isEmpty();
        }
    }

    /**
     * Returns the end of the wait, or empty if the wait goes on.
     *
     * @param begunNanos ticker time of the first request
     * @param last latest answer to a request
     * @param hopeless reason why no manager can grant the permit; empty if it can be granted, as
     *     far as known
     * @param nowNanos ticker time
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
