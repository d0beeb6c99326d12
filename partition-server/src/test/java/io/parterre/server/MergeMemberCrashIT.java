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

/** One member ends while two ranges become one. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class MergeMemberCrashIT extends MergeCrashes {
    /** Each victim is met; the long tier has all pairs. */
    static Stream<Arguments> crashes() {
        List<Arguments> crashes = new ArrayList<>();
        for (CrashPoint point : points().toList()) {
            for (Killed killed : List.of(Killed.LEADER, Killed.FOLLOWER)) {
                boolean chosen =
                        point == CrashPoint.MERGE_FREEZE_APPLIED && killed == Killed.LEADER
                                || point == CrashPoint.MERGE_ABSORB_APPLIED;
                if (Tier.isLong() || chosen) {
                    crashes.add(Arguments.of(point, killed));
                }
            }
        }
        return crashes.stream();
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void ackedWritesSurvive_whenOneMemberCrashesDuringMerge(CrashPoint point, Killed killed)
            throws Exception {
        crashDuringMerge(point, killed);
    }
}
