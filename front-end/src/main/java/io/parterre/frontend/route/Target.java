package io.parterre.frontend.route;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;

/** Where an attempt goes: a range as the map knows it, and the node to ask. */
public record Target(RangeDescriptor range, NodeId node) {}
