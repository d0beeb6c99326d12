package io.parterre.server;

import io.parterre.server.crash.CrashPoint;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All nodes end at once while a range becomes two. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class SplitPowerLossIT extends SplitCrashes {
    static Stream<CrashPoint> moments() {
        return CrashPointIT.by(CrashPointIT.Way.SPLIT);
    }

    @ParameterizedTest
    @MethodSource("moments")
    void ackedWritesSurvive_whenAllNodesCrashDuringSplit(CrashPoint point) throws Exception {
        crashAndGoOn(point, Killed.ALL);
    }
}
