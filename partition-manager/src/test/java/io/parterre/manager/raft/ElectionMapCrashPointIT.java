package io.parterre.manager.raft;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A manager ends at every moment of an election. */
final class ElectionMapCrashPointIT extends CrashedManagers {
    static Set<MapCrashPoint> points() {
        return MapCrashes.OF_ELECTIONS;
    }

    @ParameterizedTest
    @MethodSource("points")
    void ackedChangesSurviveOnAllManagers_whenVoterCrashes(MapCrashPoint point) throws Exception {
        managers.end(point, false);
    }
}
