package io.parterre.server.apply;

import io.parterre.error.ErrorCode;
import io.parterre.key.Key;
import io.parterre.key.ObjectId;
import io.parterre.range.Generation;
import java.util.Arrays;
import java.util.Optional;

/** Outcome of a command. */
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
     * @param timestampTicks new timestamps in the order of the operations; 0 for DELETE. Callers
     *     must not change the array
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

    /** A table was created, got other policies, was marked as being deleted, or was removed. */
    record TableChanged(ObjectId tableId, String name) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.tableChanged(this);
        }
    }

    /**
     * The scope is fenced.
     *
     * @param endExclusive upper bound of the range at that moment, up to which the scope is fenced;
     *     empty in rows that older software wrote
     */
    record Fenced(Optional<Key> endExclusive) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.fenced(this);
        }
    }

    /**
     * The command was refused for good; nothing was written.
     *
     * @param operationIndex index of the refused operation
     * @param tableId id of the table in the way if that table is being deleted; empty otherwise
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
     * The command is a repeat whose first outcome is no longer kept, or came after its sender had
     * called it settled. It is not executed, so that no command is executed twice.
     */
    record Forgotten() implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.forgotten(this);
        }
    }

    /** Properties of a service were changed. */
    record PropertiesChanged() implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.propertiesChanged(this);
        }
    }

    /**
     * The range's members were set, or left unchanged.
     *
     * @param generation generation of the descriptor after the command
     */
    record MembersSet(Generation generation) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.membersSet(this);
        }
    }

    /**
     * The range was split, or left unchanged.
     *
     * @param generation generation of the descriptor after the command
     * @param done whether this command split it
     */
    record RangeSplit(Generation generation, boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rangeSplit(this);
        }
    }

    /**
     * The range was frozen, or left unchanged.
     *
     * @param generation generation of the descriptor after the command
     * @param done whether this command froze it
     */
    record RangeFrozen(Generation generation, boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rangeFrozen(this);
        }
    }

    /**
     * The range was thawed, or left unchanged.
     *
     * @param generation generation of the descriptor after the command
     * @param done whether this command thawed it
     */
    record RangeThawed(Generation generation, boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rangeThawed(this);
        }
    }

    /**
     * The range has absorbed its right neighbour, or was left unchanged.
     *
     * @param generation generation of the descriptor after the command
     * @param done whether this command absorbed it
     */
    record RangeAbsorbed(Generation generation, boolean done) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rangeAbsorbed(this);
        }
    }

    /**
     * The range's log time was set back, or left unchanged.
     *
     * @param done whether this command set it back
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
     * @param there number of rows that now have the value in the command
     * @param kept number of rows that have another value and were left unchanged
     */
    record RowsRestored(int there, int kept) implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.rowsRestored(this);
        }
    }

    /**
     * The range no longer has the command's keys, because it was split after the command was
     * proposed, or it is frozen and may be about to lose them. Nothing was written and nothing is
     * remembered, so that the command can be executed where its keys are now.
     */
    record StaleRange() implements Outcome {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.staleRange(this);
        }
    }
}
