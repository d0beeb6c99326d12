package io.parterre.manager.lead;

import io.parterre.manager.reason.Reason;
import java.util.Optional;

/**
 * What the leader's loop says to a call: the value asked for, or why there is none. Metrics name
 * the cases by their types.
 */
public sealed interface LeaderAnswer<T> {
    record Given<T>(T value) implements LeaderAnswer<T> {}

    /**
     * Another manager leads, or none.
     *
     * @param leaderAddress service address of the one that leads, if known
     */
    record NotLeading<T>(Optional<String> leaderAddress) implements LeaderAnswer<T> {}

    /** Too many calls wait already; ask again later. */
    record Busy<T>() implements LeaderAnswer<T> {}

    /** No outcome in time: it may have happened. Ask again. */
    record InDoubt<T>(String reason) implements LeaderAnswer<T> {}

    /** What the call names does not exist. */
    record NotFound<T>(Reason reason) implements LeaderAnswer<T> {}

    /** The call makes no sense, whatever the state. */
    record Invalid<T>(Reason reason) implements LeaderAnswer<T> {}

    /** Asking again will not help. */
    record Refused<T>(Reason reason) implements LeaderAnswer<T> {}
}
