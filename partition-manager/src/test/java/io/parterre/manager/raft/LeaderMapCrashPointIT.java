package io.parterre.manager.raft;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A manager that leads ends at every moment of the list but those of elections. */
final class LeaderMapCrashPointIT extends CrashedManagers {
    static Set<MapCrashPoint> points() {
        return EnumSet.complementOf(EnumSet.copyOf(MapCrashes.OF_ELECTIONS));
    }

    @ParameterizedTest
    @MethodSource("points")
    void ackedChangesSurviveOnAllManagers_whenLeaderCrashes(MapCrashPoint point) throws Exception {
        managers.end(point, true);
    }
}
