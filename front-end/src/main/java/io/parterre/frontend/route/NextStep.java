package io.parterre.frontend.route;

import io.parterre.error.ErrorCode;
import java.time.Duration;

/** What to do after a setback. */
public sealed interface NextStep {
    /**
     * Route again and send the same request, a write under the same sequence.
     *
     * @param delay backoff before the retry
     * @param refresh whether to ask the manager for its whole map in the meantime
     */
    record Retry(Attempts attempts, Duration delay, boolean refresh) implements NextStep {}

    /** Read the table's directory row again; the request itself has ended. */
    record ReadTableAgain() implements NextStep {}

    /** Answer the client with this error. */
    record GiveUp(ErrorCode code) implements NextStep {}
}
