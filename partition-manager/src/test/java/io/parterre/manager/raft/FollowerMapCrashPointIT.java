package io.parterre.manager.raft;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A manager that follows ends at every moment of the list that it passes. */
final class FollowerMapCrashPointIT extends CrashedManagers {
    static Set<MapCrashPoint> points() {
        Set<MapCrashPoint> points = EnumSet.complementOf(EnumSet.copyOf(MapCrashes.OF_ELECTIONS));
        points.removeAll(MapCrashes.OF_LEADERS);
        return points;
    }

    @ParameterizedTest
    @MethodSource("points")
    void ackedChangesSurviveOnAllManagers_whenFollowerCrashes(MapCrashPoint point)
            throws Exception {
        managers.end(point, false);
    }
}
