package io.parterre.manager.map;

import io.parterre.range.Generation;
import io.parterre.range.RangeId;

/**
 * A range that no longer exists: it was absorbed by its left neighbour, or was given up with its
 * majority and recovered as another one. It says what becomes of replicas of it that come back. No
 * range has its id again.
 *
 * @param generation above any that it is known to have had: that of the successor, when it got the
 *     keys
 * @param successorId the range that got its keys
 * @param recovered whether the successor goes on in its place, since its majority was lost for
 *     good; else the successor absorbed it
 * @param mapVersion of the map when it died
 */
public record DeadRange(
        RangeId rangeId,
        Generation generation,
        RangeId successorId,
        boolean recovered,
        long mapVersion) {}
