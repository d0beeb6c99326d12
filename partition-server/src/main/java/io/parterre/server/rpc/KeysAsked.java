package io.parterre.server.rpc;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.Scan;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.ReplicaCommand;

/** Which keys a request is about, and whether a range has them. Stateless; safe for any thread. */
final class KeysAsked {
    private KeysAsked() {}

    /** Key of a row to be read. */
    static KeyRange ofRead(RangeRequest request) {
        return KeyRange.ofKey(Key.wrap(request.getReadRow().getKey().toByteArray()));
    }

    /**
     * Interval to be scanned.
     *
     * @throws IllegalArgumentException if it is empty
     */
    static KeyRange ofScan(Scan scan) {
        return new KeyRange(
                Key.wrap(scan.getStart().toByteArray()),
                Key.wrap(scan.getEndExclusive().toByteArray()));
    }

    /** Interval that holds every key of the command. */
    static KeyRange ofCommand(ReplicaCommand command) {
        return command.match(new CommandKeys());
    }

    /** Whether a range with these bounds has what the command needs of it. */
    static boolean has(KeyRange bounds, ReplicaCommand command, KeyRange keys) {
        // A scope may span ranges; each fences its part.
        return command instanceof ReplicaCommand.FenceScope
                ? bounds.overlaps(keys)
                : bounds.contains(keys);
    }

    private static final class CommandKeys implements ReplicaCommand.Cases<KeyRange> {
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

        /** Only the range's own leader may, and it asks nobody. */
        @Override
        public KeyRange setMembers(ReplicaCommand.SetMembers command) {
            throw new IllegalArgumentException("command: sets members (expected: of a front end)");
        }

        @Override
        public KeyRange setTablePolicies(ReplicaCommand.SetTablePolicies command) {
            return KeyRange.ofKey(command.key());
        }

        @Override
        public KeyRange setServiceProperties(ReplicaCommand.SetServiceProperties command) {
            return KeyRange.ofKey(command.key());
        }
    }
}
