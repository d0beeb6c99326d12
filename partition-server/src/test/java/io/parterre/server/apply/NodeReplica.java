package io.parterre.server.apply;

import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A replica of a simulated node as far as it is applied. */
final class NodeReplica {
    private static final Comparator<OwnKey> ORDER =
            Comparator.comparing(OwnKey::kind).thenComparing(OwnKey::suffix);

    /** Two or three writes. */
    private static final SliceLimits SLICES = new SliceLimits(100, 0);

    HostedRange range;
    final Map<OwnKey, byte[]> own = new TreeMap<>(ORDER);
    long applied;

    /** Commands of the next entry that are applied. */
    int begun;

    private Optional<RangeState> state = Optional.empty();

    NodeReplica(HostedRange range, long applied) {
        this.range = range;
        this.applied = applied;
    }

    NodeReplica copy() {
        NodeReplica copy = new NodeReplica(range, applied);
        copy.begun = begun;
        copy.own.putAll(own);
        return copy;
    }

    RangeDescriptor descriptor() {
        return range.descriptor();
    }

    List<OwnRow> rows() {
        List<OwnRow> rows = new ArrayList<>();
        own.forEach((key, value) -> rows.add(new OwnRow(key, value)));
        return rows;
    }

    RangeState state() {
        if (state.isEmpty()) {
            state = Optional.of(RangeState.restore(range, rows(), SLICES));
        }
        return state.get();
    }
}
