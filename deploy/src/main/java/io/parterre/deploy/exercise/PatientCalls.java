package io.parterre.deploy.exercise;

import java.time.Duration;
import java.util.Optional;

/** Calls that are retried by a policy, and counted. Thread-safe; calls sleep. */
final class PatientCalls {
    /** One attempt of a call. */
    @FunctionalInterface
    interface Try {
        Answer send() throws InterruptedException;
    }

    /**
     * How a call ended.
     *
     * @param tries number of attempts, at least one
     */
    record Ended(Answer answer, int tries) {}

    private final Retries retries;
    private final Tally tally;

    PatientCalls(Retries retries, Tally tally) {
        this.retries = retries;
        this.tally = tally;
    }

    Ended call(Try once) throws InterruptedException {
        long beginNanos = System.nanoTime();
        int tries = 1;
        Answer answer = once.send();
        Optional<Duration> pause = retries.pauseAfter(tries, answer);
        while (pause.isPresent()) {
            Thread.sleep(pause.get().toMillis());
            tries++;
            answer = once.send();
            pause = retries.pauseAfter(tries, answer);
        }
        tally.call(tries, System.nanoTime() - beginNanos);
        return new Ended(answer, tries);
    }
}
