package io.parterre.server.command;

import io.parterre.directory.AccessPolicy;
import io.parterre.directory.ServiceProperties;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/** A change of one range: proposed by the range's leader, applied in log order by all replicas. */
public sealed interface ReplicaCommand {
    <R> R match(Cases<R> cases);

    /** One method per kind of command. */
    interface Cases<R> {
        R writeEntities(WriteEntities command);

        R createTable(CreateTable command);

        R beginDeleteTable(BeginDeleteTable command);

        R finishDeleteTable(FinishDeleteTable command);

        R fenceScope(FenceScope command);

        R setTablePolicies(SetTablePolicies command);

        R setServiceProperties(SetServiceProperties command);

        R setMembers(SetMembers command);

        R split(Split command);

        R freeze(Freeze command);

        R thaw(Thaw command);

        R absorb(Absorb command);

        R forgetFences(ForgetFences command);

        R resetClock(ResetClock command);

        R restoreRows(RestoreRows command);
    }

    /**
     * One entity group transaction: all operations or none.
     *
     * @param operations 1 to 100, on one partition, no entity twice
     * @param entityBytesMax largest entity by the service's formula, see {@code EntitySize}
     * @param propertiesMax custom properties of one entity
     */
    record WriteEntities(List<EntityOperation> operations, int entityBytesMax, int propertiesMax)
            implements ReplicaCommand {
        public static final int OPERATIONS_MAX = 100;

        public WriteEntities {
            operations = List.copyOf(operations);
            if (operations.isEmpty() || operations.size() > OPERATIONS_MAX) {
                throw new IllegalArgumentException(
                        "operations: "
                                + operations.size()
                                + " (expected: 1.."
                                + OPERATIONS_MAX
                                + ")");
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.writeEntities(this);
        }
    }

    /**
     * Lists a table in the directory.
     *
     * @param key directory row: the name in lower case
     * @param name in the case in which it will be listed
     */
    record CreateTable(Key key, String name, ObjectId tableId) implements ReplicaCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.createTable(this);
        }
    }

    /** Marks a table as being deleted. */
    record BeginDeleteTable(Key key) implements ReplicaCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.beginDeleteTable(this);
        }
    }

    /** Removes a table's directory row if it still is this table, being deleted. */
    record FinishDeleteTable(Key key, ObjectId tableId) implements ReplicaCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.finishDeleteTable(this);
        }
    }

    /** From then on the range accepts and serves nothing of the scope, and its rows are gone. */
    record FenceScope(Key scope) implements ReplicaCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.fenceScope(this);
        }
    }

    /**
     * Replaces the stored access policies of a table.
     *
     * @param key directory row of the table
     */
    record SetTablePolicies(Key key, List<AccessPolicy> policies) implements ReplicaCommand {
        public SetTablePolicies {
            policies = List.copyOf(policies);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.setTablePolicies(this);
        }
    }

    /**
     * Changes the settings of a service of an account.
     *
     * @param key directory row of the settings
     */
    record SetServiceProperties(Key key, ServiceProperties.Change change)
            implements ReplicaCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.setServiceProperties(this);
        }
    }

    /**
     * Records that the range's Raft group has these members. Comes from the range's own leader,
     * never from a front end.
     *
     * @param generation generation of the resulting descriptor; the command changes nothing unless
     *     this is the next generation
     */
    record SetMembers(Generation generation, List<Member> members) implements ReplicaCommand {
        public SetMembers {
            members = List.copyOf(members);
            boolean twice =
                    members.stream().map(Member::nodeId).distinct().count() != members.size();
            if (members.isEmpty() || twice) {
                throw new IllegalArgumentException(
                        "members: " + members + " (expected: at least one, none twice)");
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.setMembers(this);
        }
    }

    /**
     * Splits the range in two, or more. Comes from the range's own leader, never from a front end.
     *
     * @param generation generation of all resulting descriptors; the command changes nothing unless
     *     this is the next generation
     * @param splitPoints at least one, in the order of the keys; the range ends at the first
     */
    record Split(Generation generation, List<SplitPoint> splitPoints) implements ReplicaCommand {
        public static final int SPLIT_POINT_MAX = 15;

        public Split {
            splitPoints = List.copyOf(splitPoints);
            boolean ascending = true;
            for (int i = 1; i < splitPoints.size(); i++) {
                ascending &= splitPoints.get(i - 1).at().compareTo(splitPoints.get(i).at()) < 0;
            }
            boolean twice =
                    splitPoints.stream().map(SplitPoint::childId).distinct().count()
                            != splitPoints.size();
            if (splitPoints.isEmpty()
                    || splitPoints.size() > SPLIT_POINT_MAX
                    || !ascending
                    || twice) {
                throw new IllegalArgumentException(
                        "splitPoints: "
                                + splitPoints
                                + " (expected: 1.."
                                + SPLIT_POINT_MAX
                                + ", ascending, no child twice)");
            }
        }

        public Split(Generation generation, Key splitPoint, RangeId childId) {
            this(generation, List.of(new SplitPoint(splitPoint, childId)));
        }

        /** Returns the key at which the range ends from then on. */
        public Key firstSplitPoint() {
            return splitPoints.get(0).at();
        }

        /** Returns the range that begins there; its id identifies the split. */
        public RangeId firstChildId() {
            return splitPoints.get(0).childId();
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.split(this);
        }
    }

    /**
     * The lower bound of a child.
     *
     * @param childId never used before
     */
    record SplitPoint(Key at, RangeId childId) {
        public SplitPoint {
            if (!KeyCodec.isSplitPoint(at)) {
                throw new IllegalArgumentException(
                        "splitPoint: " + at + " (expected: a key at which a range may begin)");
            }
        }
    }

    /**
     * Freezes the range so that its left neighbour can absorb it: from then on it accepts and
     * serves nothing. Comes from the range's own leader, never from a front end.
     *
     * @param generation generation of the resulting descriptor; the command changes nothing unless
     *     this is the next generation
     * @param leftId the range that is to absorb this one
     * @param leftAt the only generation at which that range may absorb it
     */
    record Freeze(Generation generation, RangeId leftId, Generation leftAt)
            implements ReplicaCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.freeze(this);
        }
    }

    /**
     * Reverts a {@link Freeze}, once it is certain that the range will not be absorbed. Comes from
     * the range's own leader, never from a front end.
     *
     * @param generation generation of the resulting descriptor; the command changes nothing unless
     *     this is the next generation
     */
    record Thaw(Generation generation) implements ReplicaCommand {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.thaw(this);
        }
    }

    /**
     * Extends the range by its right neighbour, which no longer exists from then on. Comes from the
     * range's own leader, never from a front end, once all members have the neighbour frozen.
     *
     * @param generation generation of the resulting descriptor, above those of both ranges
     * @param from generation of the descriptor that is extended; the command changes nothing at any
     *     other
     * @param right the neighbour, frozen for this range
     * @param freezeIndex entry of the neighbour's log up to which all members had applied it
     */
    record Absorb(Generation generation, Generation from, RangeDescriptor right, long freezeIndex)
            implements ReplicaCommand {
        public Absorb {
            boolean above =
                    generation.compareTo(from) > 0 && generation.compareTo(right.generation()) > 0;
            if (!above || !right.frozenAt().equals(Optional.of(from))) {
                throw new IllegalArgumentException(
                        "generation: "
                                + generation
                                + ", from: "
                                + from
                                + ", right: "
                                + right
                                + " (expected: above both, and frozen for that)");
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.absorb(this);
        }
    }

    /**
     * Removes fences for which no command can be in flight any more. A scope is the id of a table,
     * which is never used again. Comes from the range's own leader, never from a front end.
     *
     * @param scopes scopes that are not fenced are skipped
     */
    record ForgetFences(List<Key> scopes) implements ReplicaCommand {
        public static final int SCOPES_MAX = 1_000;

        public ForgetFences {
            scopes = List.copyOf(scopes);
            if (scopes.isEmpty() || scopes.size() > SCOPES_MAX) {
                throw new IllegalArgumentException(
                        "scopes: " + scopes.size() + " (expected: 1.." + SCOPES_MAX + ")");
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.forgetFences(this);
        }
    }

    /**
     * Sets the range's log time back to the stamp of the entry, after a leader's clock was far
     * ahead. Comes from the range's own leader, never from a front end.
     *
     * @param seenTicks log time that the leader found; the command changes nothing at an earlier
     *     log time, which was reset already
     * @param usedFromTicks no timestamp between the stamp and this time was ever given; later ones
     *     may have been
     */
    record ResetClock(long seenTicks, long usedFromTicks) implements ReplicaCommand {
        public ResetClock {
            if (usedFromTicks > seenTicks) {
                throw new IllegalArgumentException(
                        "usedFromTicks: " + usedFromTicks + " (expected: <= " + seenTicks + ")");
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.resetClock(this);
        }
    }

    /**
     * Puts rows of a backup at keys without a row, with their original timestamps. Comes from the
     * range's own leader at an operator's request, never from a front end.
     *
     * @param rows rows of entities or of directories, ascending
     */
    record RestoreRows(List<RestoredRow> rows) implements ReplicaCommand {
        public RestoreRows {
            rows = List.copyOf(rows);
            if (rows.isEmpty()) {
                throw new IllegalArgumentException("rows: none (expected: at least one)");
            }
            for (int i = 1; i < rows.size(); i++) {
                if (rows.get(i - 1).key().compareTo(rows.get(i).key()) >= 0) {
                    throw new IllegalArgumentException("rows: not ascending");
                }
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.restoreRows(this);
        }
    }

    /**
     * A row as it was stored.
     *
     * @param value not to be changed
     */
    record RestoredRow(Key key, byte[] value) {}
}
