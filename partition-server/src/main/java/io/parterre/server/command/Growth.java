package io.parterre.server.command;

/**
 * Decides which commands let a range grow and are refused where the disk has no room. Commands that
 * delete, that drop a table, or that ranges themselves need run all the same. They write a little
 * at first, but nothing else makes room, or brings a replica to a node with room. Stateless; safe
 * for any thread.
 */
public final class Growth {
    private Growth() {}

    /**
     * Returns whether the range may be larger after the command, by the command's kind alone. A
     * smaller entity in place of a larger one takes more room until a compaction, so it counts as
     * growth. Policies of tables and settings of services do not count: they are few, bounded and
     * overwritten in place.
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
