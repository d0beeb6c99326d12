package io.parterre.server.apply;

import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import java.util.Optional;

/** A merge as the node sees it that carries it out. */
final class MergeUnderWay {
    final RangeDescriptor left;
    final RangeDescriptor right;
    long freezeIndex = -1;

    MergeUnderWay(RangeDescriptor left, RangeDescriptor right) {
        this.left = left;
        this.right = right;
    }

    boolean isFrozen(RangeDescriptor range) {
        return range.frozenFor().equals(Optional.of(left.rangeId()))
                && range.frozenAt().equals(Optional.of(left.generation()))
                && range.generation().equals(right.generation().next());
    }

    Generation joined() {
        Generation frozen = right.generation().next();
        return (left.generation().compareTo(frozen) > 0 ? left.generation() : frozen).next();
    }
}
