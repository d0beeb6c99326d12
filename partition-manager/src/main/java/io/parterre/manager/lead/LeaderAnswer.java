package io.parterre.manager.lead;

import io.parterre.manager.reason.Reason;
import java.util.Optional;

/** What the leader's loop says to a call: the value asked for, or why there is none. */
public sealed interface LeaderAnswer<T> {
    /** Names the case in metrics. */
    String label();

    record Given<T>(T value) implements LeaderAnswer<T> {
        @Override
        public String label() {
            return "given";
        }
    }

    /**
     * Another manager leads, or none.
     *
     * @param leaderAddress service address of the one that leads, if known
     */
    record NotLeading<T>(Optional<String> leaderAddress) implements LeaderAnswer<T> {
        @Override
        public String label() {
            return "not_leading";
        }
    }

    /** Too many calls wait already; ask again later. */
    record Busy<T>() implements LeaderAnswer<T> {
        @Override
        public String label() {
            return "busy";
        }
    }

    /** No outcome in time: it may have happened. Ask again. */
    record InDoubt<T>(String reason) implements LeaderAnswer<T> {
        @Override
        public String label() {
            return "in_doubt";
        }
    }

    /** What the call names does not exist. */
    record NotFound<T>(Reason reason) implements LeaderAnswer<T> {
        @Override
        public String label() {
            return "not_found";
        }
    }

    /** The call makes no sense, whatever the state. */
    record Invalid<T>(Reason reason) implements LeaderAnswer<T> {
        @Override
        public String label() {
            return "invalid";
        }
    }

    /** Asking again will not help. */
    record Refused<T>(Reason reason) implements LeaderAnswer<T> {
        @Override
        public String label() {
            return "refused";
        }
    }
}
