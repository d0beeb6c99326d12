package io.parterre.frontend.client;

import io.parterre.proto.range.RangeRequest;
import io.parterre.range.RangeDescriptor;

/**
 * Writes the body of a request to a range. Called for each attempt, because the body may depend on
 * the range's bounds.
 */
@FunctionalInterface
interface RangeBody {
    void put(RangeRequest.Builder request, RangeDescriptor range);
}
