package io.parterre.server.command;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;

/**
 * Determines the keys of a command, and whether a range has them. Stateless; safe for any thread.
 */
public final class CommandKeys {
    private CommandKeys() {}

    /**
     * Returns the smallest interval that contains every key of the command.
     *
     * @throws IllegalArgumentException if only the range's own leader proposes such commands, which
     *     have no keys
     */
    public static KeyRange of(ReplicaCommand command) {
        return command.match(new Keys());
    }

    /** Returns whether a range with these bounds has the keys that the command needs there. */
    public static boolean belongs(ReplicaCommand command, KeyRange bounds) {
        if (command instanceof ReplicaCommand.WriteEntities write) {
            // The other operations are on the same partition, and no range ends inside a partition.
            return bounds.contains(write.operations().get(0).key());
        }
        if (command instanceof ReplicaCommand.RestoreRows restore) {
            return bounds.contains(restore.rows().get(0).key())
                    && bounds.contains(restore.rows().get(restore.rows().size() - 1).key());
        }
        if (command instanceof ReplicaCommand.FenceScope) {
            // A scope may span ranges; each range fences its part.
            return bounds.overlaps(of(command));
        }
        if (isOfRange(command)) {
            return true;
        }
        return bounds.contains(of(command));
    }

    /** Returns whether the command is about the range itself, independent of its keys. */
    private static boolean isOfRange(ReplicaCommand command) {
        return command instanceof ReplicaCommand.SetMembers
                || command instanceof ReplicaCommand.Split
                || command instanceof ReplicaCommand.Freeze
                || command instanceof ReplicaCommand.Thaw
                || command instanceof ReplicaCommand.Absorb
                || command instanceof ReplicaCommand.ForgetFences
                || command instanceof ReplicaCommand.ResetClock;
    }

    private static final class Keys implements ReplicaCommand.Cases<KeyRange> {
        @Override
        public KeyRange writeEntities(ReplicaCommand.WriteEntities command) {
            Key first = command.operations().get(0).key();
            Key last = first;
            for (EntityOperation operation : command.operations()) {
                first = first.compareTo(operation.key()) <= 0 ? first : operation.key();
                last = last.compareTo(operation.key()) >= 0 ? last : operation.key();
            }
            return new KeyRange(first, last.next());
        }

        @Override
        public KeyRange createTable(ReplicaCommand.CreateTable command) {
            return KeyRange.ofKey(command.key());
        }

        @Override
        public KeyRange beginDeleteTable(ReplicaCommand.BeginDeleteTable command) {
            return KeyRange.ofKey(command.key());
        }

        @Override
        public KeyRange finishDeleteTable(ReplicaCommand.FinishDeleteTable command) {
            return KeyRange.ofKey(command.key());
        }

        @Override
        public KeyRange fenceScope(ReplicaCommand.FenceScope command) {
            return KeyRange.ofPrefix(command.scope());
        }

        @Override
        public KeyRange setTablePolicies(ReplicaCommand.SetTablePolicies command) {
            return KeyRange.ofKey(command.key());
        }

        @Override
        public KeyRange setServiceProperties(ReplicaCommand.SetServiceProperties command) {
            return KeyRange.ofKey(command.key());
        }

        @Override
        public KeyRange setMembers(ReplicaCommand.SetMembers command) {
            throw new IllegalArgumentException("command: sets members (expected: of a front end)");
        }

        @Override
        public KeyRange split(ReplicaCommand.Split command) {
            throw new IllegalArgumentException("command: splits (expected: of a front end)");
        }

        @Override
        public KeyRange freeze(ReplicaCommand.Freeze command) {
            throw new IllegalArgumentException("command: freezes (expected: of a front end)");
        }

        @Override
        public KeyRange thaw(ReplicaCommand.Thaw command) {
            throw new IllegalArgumentException("command: thaws (expected: of a front end)");
        }

        @Override
        public KeyRange absorb(ReplicaCommand.Absorb command) {
            throw new IllegalArgumentException("command: absorbs (expected: of a front end)");
        }

        @Override
        public KeyRange forgetFences(ReplicaCommand.ForgetFences command) {
            throw new IllegalArgumentException(
                    "command: forgets fences (expected: of a front end)");
        }

        @Override
        public KeyRange resetClock(ReplicaCommand.ResetClock command) {
            throw new IllegalArgumentException(
                    "command: resets the clock (expected: of a front end)");
        }

        @Override
        public KeyRange restoreRows(ReplicaCommand.RestoreRows command) {
            throw new IllegalArgumentException("command: restores (expected: of a front end)");
        }
    }
}
