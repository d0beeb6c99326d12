package io.parterre.deploy.exercise;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * What came of an exercise.
 *
 * @param seconds from the first call to the last
 * @param calls that have ended, each counted once whatever its tries
 * @param writes that were acknowledged
 * @param retries tries beside the first of each call
 * @param failed calls that no retry saved
 * @param slowestMillis longest call, its retries and pauses included
 * @param verified entities that were compared with the ledger at the end
 * @param wrong readings that contradict the ledger
 * @param troubles the first of those that failed or were wrong
 */
public record ExerciseReport(
        long seconds,
        long calls,
        long writes,
        long retries,
        long failed,
        long slowestMillis,
        long verified,
        long wrong,
        List<String> troubles) {
    /** Whether no call failed, and all that was acknowledged is there. */
    @JsonProperty
    public boolean passed() {
        return failed == 0 && wrong == 0 && calls > 0;
    }
}
