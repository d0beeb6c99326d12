package io.parterre.frontend.client;

import io.parterre.proto.range.RangeRequest;
import io.parterre.range.RangeDescriptor;

/** What is asked of a range. Called for each attempt: it may depend on the range's bounds. */
@FunctionalInterface
interface RangeBody {
    void put(RangeRequest.Builder request, RangeDescriptor range);
}
