package io.parterre.frontend.client;

import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeDescriptor;

/** The answer to a request, and the range that gave it, at the generation it was asked by. */
record RangeAnswer(RangeResponse response, RangeDescriptor range) {}
