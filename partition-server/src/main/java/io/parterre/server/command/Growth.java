package io.parterre.server.command;

/**
 * Which commands make a range hold more, and may not run where there is no room. What deletes, what
 * drops a table and what ranges themselves need has to run there all the same: it writes a little
 * at first, but nothing else makes room again, or brings a replica to where there is some.
 * Stateless; safe for any thread.
 */
public final class Growth {
    private Growth() {}

    /**
     * Whether the range may hold more after it. By its kind alone: an entity that is replaced by a
     * smaller one takes more room until a compaction, so that counts as well. Policies of tables
     * and settings of services do not count: they are few, bounded and overwritten in place.
     */
    public static boolean of(ReplicaCommand command) {
        return command.match(new Grows());
    }

    private static final class Grows implements ReplicaCommand.Cases<Boolean> {
        @Override
        public Boolean writeEntities(ReplicaCommand.WriteEntities command) {
            return command.operations().stream()
                    .anyMatch(each -> each.kind() != EntityOperation.Kind.DELETE);
        }

        @Override
        public Boolean createTable(ReplicaCommand.CreateTable command) {
            return true;
        }

        @Override
        public Boolean beginDeleteTable(ReplicaCommand.BeginDeleteTable command) {
            return false;
        }

        @Override
        public Boolean finishDeleteTable(ReplicaCommand.FinishDeleteTable command) {
            return false;
        }

        @Override
        public Boolean fenceScope(ReplicaCommand.FenceScope command) {
            return false;
        }

        @Override
        public Boolean setTablePolicies(ReplicaCommand.SetTablePolicies command) {
            return false;
        }

        @Override
        public Boolean setServiceProperties(ReplicaCommand.SetServiceProperties command) {
            return false;
        }

        @Override
        public Boolean setMembers(ReplicaCommand.SetMembers command) {
            return false;
        }

        @Override
        public Boolean split(ReplicaCommand.Split command) {
            return false;
        }

        @Override
        public Boolean freeze(ReplicaCommand.Freeze command) {
            return false;
        }

        @Override
        public Boolean thaw(ReplicaCommand.Thaw command) {
            return false;
        }

        @Override
        public Boolean absorb(ReplicaCommand.Absorb command) {
            return false;
        }

        @Override
        public Boolean forgetFences(ReplicaCommand.ForgetFences command) {
            return false;
        }

        @Override
        public Boolean resetClock(ReplicaCommand.ResetClock command) {
            return false;
        }

        @Override
        public Boolean restoreRows(ReplicaCommand.RestoreRows command) {
            return true;
        }
    }
}
