package io.parterre.server.replica;

import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** A replica whose rows a copy replaces. Safe for any thread. */
public interface CopyTarget {
    RangeId rangeId();

    /**
     * Replaces the rows by a complete copy, see {@link AppliedRows#replace}.
     *
     * @throws IOException if there is nothing to replace any more; nothing was done
     */
    void replace(
            StagedCopy copy,
            List<RangeDescriptor> superseded,
            Supplier<List<KeyRange>> others,
            CrashHook<CrashPoint> crash)
            throws IOException;
}
