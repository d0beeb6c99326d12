package io.parterre.manager.lead;

import io.parterre.manager.reason.Reason;
import java.util.Optional;

/**
 * The loop's answer to a call: the value, or why there is none. The metrics' labels are made from
 * the names of these types.
 */
public sealed interface LeaderAnswer<T> {
    record Given<T>(T value) implements LeaderAnswer<T> {}

    /**
     * Another manager leads, or none.
     *
     * @param leaderAddress service address of the leading manager; empty if not known
     */
    record NotLeading<T>(Optional<String> leaderAddress) implements LeaderAnswer<T> {}

    /** Too many calls wait already. The caller may retry later. */
    record Busy<T>() implements LeaderAnswer<T> {}

    /** No outcome in time. The command may have been applied. The caller may retry. */
    record InDoubt<T>(String reason) implements LeaderAnswer<T> {}

    /** What the call names does not exist. */
    record NotFound<T>(Reason reason) implements LeaderAnswer<T> {}

    /** The call is invalid in any state. */
    record Invalid<T>(Reason reason) implements LeaderAnswer<T> {}

    /** The call is refused. A retry does not help. */
    record Refused<T>(Reason reason) implements LeaderAnswer<T> {}
}
