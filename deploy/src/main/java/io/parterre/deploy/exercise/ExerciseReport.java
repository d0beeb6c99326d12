package io.parterre.deploy.exercise;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Result of an exercise.
 *
 * @param seconds time from the first call to the last
 * @param calls calls that have ended, each counted once whatever its attempts
 * @param writes acknowledged writes
 * @param retries attempts beyond the first of each call
 * @param failed calls that failed despite retries
 * @param slowestMillis longest call, including its retries and pauses
 * @param verified entities that were compared with the ledger at the end
 * @param wrong reads that contradict the ledger
 * @param troubles the first of the failed or wrong calls
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
    /** Returns whether no call failed, and everything acknowledged was found. */
    @JsonProperty
    public boolean passed() {
        return failed == 0 && wrong == 0 && calls > 0;
    }
}
