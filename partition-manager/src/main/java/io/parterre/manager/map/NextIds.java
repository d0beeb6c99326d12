package io.parterre.manager.map;

import io.parterre.range.RangeId;
import java.util.List;
import java.util.stream.LongStream;

/** The lowest ids that were never assigned. They only grow. Immutable. */
record NextIds(long range, long account, long object) {
    NextIds {
        if (range <= 0 || account <= 0 || object <= 0) {
            throw new IllegalArgumentException(
                    "next ids: "
                            + range
                            + ", "
                            + account
                            + ", "
                            + object
                            + " (expected: positive)");
        }
    }

    NextIds afterRange() {
        return afterRanges(1);
    }

    NextIds afterRanges(int count) {
        return new NextIds(Math.addExact(range, count), account, object);
    }

    /** Returns the next ids for ranges. */
    List<RangeId> ranges(int count) {
        return LongStream.range(range, range + count).mapToObj(RangeId::new).toList();
    }

    NextIds afterAccount() {
        return new NextIds(range, Math.addExact(account, 1), object);
    }

    NextIds afterObjects(int count) {
        return new NextIds(range, account, Math.addExact(object, count));
    }
}
