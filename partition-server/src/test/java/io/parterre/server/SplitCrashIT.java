package io.parterre.server;

import io.parterre.server.crash.CrashPoint;
import io.parterre.testing.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One node ends while a range becomes two. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class SplitCrashIT extends SplitCrashes {
    /** Each victim is met; the long tier has all pairs. */
    static Stream<Arguments> crashes() {
        boolean all = Tier.isLong();
        List<Arguments> crashes = new ArrayList<>();
        for (CrashPoint point : CrashPointIT.by(CrashPointIT.Way.SPLIT).toList()) {
            if (all || point == CrashPoint.SPLIT_APPLIED) {
                crashes.add(Arguments.of(point, Killed.LEADER));
            }
            boolean happens = point != CrashPoint.CHILD_LED;
            if (happens && all || point == CrashPoint.CHILD_JOINED) {
                crashes.add(Arguments.of(point, Killed.FOLLOWER));
            }
        }
        return crashes.stream();
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void ackedWritesSurvive_whenNodeCrashesDuringSplit(CrashPoint point, Killed killed)
            throws Exception {
        crashAndGoOn(point, killed);
    }
}
