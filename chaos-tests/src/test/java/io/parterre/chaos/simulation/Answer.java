package io.parterre.chaos.simulation;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.Outcome;
import java.util.List;
import java.util.Optional;

/** What a node says to a request. */
sealed interface Answer {
    record Done(Outcome outcome) implements Answer {}

    record Row(Optional<byte[]> value) implements Answer {}

    record NotLeader(Optional<NodeId> hint) implements Answer {}

    record Stale(List<RangeDescriptor> held) implements Answer {}

    /** To be tried again, there or elsewhere; perhaps it is in the log. */
    record Later() implements Answer {}
}
