package io.parterre.server;

import io.parterre.server.crash.CrashPoint;
import io.parterre.testing.Tier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All members end while two ranges become one. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class MergeCrashIT extends MergeCrashes {
    /** Each step; the removal of the right range's log only in the long tier. */
    static Stream<CrashPoint> steps() {
        return points().filter(point -> Tier.isLong() || point != CrashPoint.MERGE_RIGHT_REMOVED);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void ackedWritesSurvive_whenAllMembersCrashDuringMerge(CrashPoint point) throws Exception {
        crashDuringMerge(point, Killed.ALL);
    }
}
