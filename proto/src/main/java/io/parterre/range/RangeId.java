package io.parterre.range;

import io.parterre.check.Require;
import java.util.UUID;

/** Id of a range, assigned by the partition manager and never reused. */
public record RangeId(long value) implements Comparable<RangeId> {
    /** Marks the ids of range groups among all Raft group ids. */
    private static final long GROUP_MARK = 0x7061727465727265L;

    public RangeId {
        Require.positive("rangeId", value);
    }

    /** Id of the range's Raft group. */
    public UUID groupId() {
        return new UUID(GROUP_MARK, value);
    }

    /**
     * Returns the range of a Raft group.
     *
     * @throws IllegalArgumentException if the group is none of a range
     */
    public static RangeId ofGroupId(UUID groupId) {
        if (groupId.getMostSignificantBits() != GROUP_MARK) {
            throw new IllegalArgumentException("groupId: " + groupId + " (expected: a range's)");
        }
        return new RangeId(groupId.getLeastSignificantBits());
    }

    @Override
    public int compareTo(RangeId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
