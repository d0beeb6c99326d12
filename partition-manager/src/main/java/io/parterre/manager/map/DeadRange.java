package io.parterre.manager.map;

import io.parterre.range.Generation;
import io.parterre.range.RangeId;

/**
 * A range that was absorbed by its left neighbour: what becomes of replicas of it that come back.
 * No range has its id again.
 *
 * @param generation above any that it ever had: that of the range that absorbed it, when it had
 * @param mapVersion of the map when it died
 */
public record DeadRange(
        RangeId rangeId, Generation generation, RangeId absorbedBy, long mapVersion) {}
