package io.parterre.server.apply;

import io.parterre.error.ErrorCode;
import io.parterre.key.Key;
import io.parterre.key.ObjectId;
import io.parterre.range.Generation;
import java.util.Arrays;
import java.util.Optional;

/** What became of a command. */
public sealed interface Outcome {
    <R> R match(Cases<R> cases);

    /** One method per kind of outcome. */
    interface Cases<R> {
        R written(Written written);

        R tableChanged(TableChanged tableChanged);

        R fenced(Fenced fenced);

        R rejected(Rejected rejected);

        R scopeFenced(ScopeFenced scopeFenced);

        R forgotten(Forgotten forgotten);

        R propertiesChanged(PropertiesChanged propertiesChanged);

        R membersSet(MembersSet membersSet);

        R rangeSplit(RangeSplit rangeSplit);

        R rangeFrozen(RangeFrozen rangeFrozen);

        R rangeThawed(RangeThawed rangeThawed);

        R rangeAbsorbed(RangeAbsorbed rangeAbsorbed);

        R clockReset(ClockReset clockReset);

        R rowsRestored(RowsRestored rowsRestored);

        R staleRange(StaleRange staleRange);
    }

    /**
     * Entities were written.
     *
     * @param timestampTicks new timestamps in the order of the operations; 0 for DELETE. Not to be
     *     changed
     */
    record Written(long[] timestampTicks) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.written(this);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Written written
                    && Arrays.equals(timestampTicks, written.timestampTicks);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(timestampTicks);
        }
    }

    /** A table was created, got other policies, is being deleted, or was deleted. */
    record TableChanged(ObjectId tableId, String name) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.tableChanged(this);
        }
    }

    /**
     * The scope is fenced.
     *
     * @param endExclusive up to where: the end of the range at that moment; empty in what older
     *     software wrote
     */
    record Fenced(Optional<Key> endExclusive) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.fenced(this);
        }
    }

    /**
     * Refused for good; nothing was written.
     *
     * @param operationIndex the operation that was refused
     * @param tableId the table in the way, if it is one being deleted
     */
    record Rejected(ErrorCode code, int operationIndex, Optional<ObjectId> tableId)
            implements Outcome {
        static Rejected of(ErrorCode code) {
            return new Rejected(code, 0, Optional.empty());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rejected(this);
        }
    }

    /** The write came after its scope was fenced; nothing was written. */
    record ScopeFenced() implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.scopeFenced(this);
        }
    }

    /**
     * A repeat whose first outcome is no longer kept, or a command that comes after its sender
     * called it settled. It is not executed, so that none ever is twice.
     */
    record Forgotten() implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.forgotten(this);
        }
    }

    /** Settings of a service were changed. */
    record PropertiesChanged() implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.propertiesChanged(this);
        }
    }

    /**
     * The range's members were set, or left as they were.
     *
     * @param generation of the descriptor after the command
     */
    record MembersSet(Generation generation) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.membersSet(this);
        }
    }

    /**
     * The range was split in two, or left as it was.
     *
     * @param generation of the descriptor after the command
     */
    record RangeSplit(Generation generation, boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rangeSplit(this);
        }
    }

    /**
     * The range was frozen, or left as it was.
     *
     * @param generation of the descriptor after the command
     */
    record RangeFrozen(Generation generation, boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rangeFrozen(this);
        }
    }

    /**
     * The range was thawed, or left as it was.
     *
     * @param generation of the descriptor after the command
     */
    record RangeThawed(Generation generation, boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rangeThawed(this);
        }
    }

    /**
     * The range has absorbed its right neighbour, or was left as it was.
     *
     * @param generation of the descriptor after the command
     */
    record RangeAbsorbed(Generation generation, boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rangeAbsorbed(this);
        }
    }

    /**
     * The range's log time was set back, or left as it was.
     *
     * @param done whether it was this command that set it
     */
    record ClockReset(boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.clockReset(this);
        }
    }

    /**
     * Rows of a backup were put where there were none.
     *
     * @param there rows that are there now as the command has them
     * @param kept rows that are there with another value, and were left
     */
    record RowsRestored(int there, int kept) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rowsRestored(this);
        }
    }

    /**
     * The range has none of the command's keys any more, since it was split after the command was
     * proposed, or it is frozen and may be about to lose them. Nothing was written, and nothing is
     * remembered, so that the command is executed where its keys are now.
     */
    record StaleRange() implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.staleRange(this);
        }
    }
}
