package io.parterre.manager.map;

import io.parterre.range.Generation;
import io.parterre.range.RangeId;

/**
 * The tombstone of a range that was absorbed by its left neighbour, or recovered as another range
 * after it lost its majority. Decides what happens to late replicas of the range. No later range
 * has the same id.
 *
 * @param generation above any generation that the range is known to have had: the successor's, when
 *     it got the keys
 * @param successorId the range that got its keys
 * @param recovered if true, the successor took its place because its majority was lost for good;
 *     else the successor absorbed it
 * @param mapVersion version of the map when the range ended
 */
public record DeadRange(
        RangeId rangeId,
        Generation generation,
        RangeId successorId,
        boolean recovered,
        long mapVersion) {}
