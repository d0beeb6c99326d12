package io.parterre.simulator;

import io.parterre.key.KeyRange;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/** The state of a range's log, and its leader. */
final class SimGroup {
    /** Its members are also those of the Raft group, because both change in the same second. */
    RangeDescriptor descriptor;

    long ledSince;
    Optional<NodeId> leader = Optional.empty();

    private Optional<RangeLoad> asked = Optional.empty();
    private Optional<SimLoad> askedBy = Optional.empty();
    private KeyRange askedWithin;

    SimGroup(RangeDescriptor range) {
        descriptor = range;
        askedWithin = range.bounds();
    }

    RangeId rangeId() {
        return descriptor.rangeId();
    }

    Generation generation() {
        return descriptor.generation();
    }

    List<NodeId> members() {
        return descriptor.members();
    }

    KeyRange bounds() {
        return descriptor.bounds();
    }

    boolean isFrozen() {
        return descriptor.isFrozen();
    }

    boolean isLedBy(NodeId node) {
        return leader.isPresent() && leader.get().equals(node);
    }

    /** Returns the range's load, computed again only if the load or the bounds have changed. */
    @SuppressWarnings("ReferenceEquality") // Both are immutable, and comparing loads is slow.
    Optional<RangeLoad> asked(Optional<SimLoad> load) {
        boolean known =
                load.isPresent()
                        && askedBy.isPresent()
                        && askedBy.get() == load.get()
                        && askedWithin == bounds();
        if (!known) {
            asked = load.map(each -> each.of(bounds()));
            askedBy = load;
            askedWithin = bounds();
        }
        return asked;
    }

    double operationsPerSecond(Optional<SimLoad> load) {
        return asked(load).map(RangeLoad::operationsPerSecond).orElse(0.0);
    }
}
