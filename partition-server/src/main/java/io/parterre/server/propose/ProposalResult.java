package io.parterre.server.propose;

import io.parterre.error.BusyReason;
import io.parterre.server.apply.Outcome;
import java.util.Optional;

/** The result of proposing a command. */
public sealed interface ProposalResult {
    <R> R match(Cases<R> cases);

    /** One method per kind of result. */
    interface Cases<R> {
        R applied(Applied applied);

        R notLeader(NotLeader notLeader);

        R busy(Busy busy);

        R inDoubt(InDoubt inDoubt);

        R tooLarge(TooLarge tooLarge);
    }

    /** The command is committed and applied. */
    record Applied(Outcome outcome) implements ProposalResult {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.applied(this);
        }
    }

    /** This replica does not lead; the command is in no log and never will be. */
    record NotLeader(Optional<String> leaderHint) implements ProposalResult {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.notLeader(this);
        }
    }

    /** Too many commands wait; the command is in no log and never will be. */
    record Busy(BusyReason reason) implements ProposalResult {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.busy(this);
        }
    }

    /** The command is in a log and may or may not be committed; only a repeat can find out. */
    record InDoubt() implements ProposalResult {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.inDoubt(this);
        }
    }

    /** No log takes a command of this size. */
    record TooLarge() implements ProposalResult {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.tooLarge(this);
        }
    }
}
