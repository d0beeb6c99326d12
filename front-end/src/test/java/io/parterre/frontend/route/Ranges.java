package io.parterre.frontend.route;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Short ways to write ranges down. */
final class Ranges {
    static final NodeId A = new NodeId("a");
    static final NodeId B = new NodeId("b");
    static final NodeId C = new NodeId("c");

    private Ranges() {}

    /** Of one-letter bounds; {@code <} is the first key and {@code >} the last. */
    static RangeDescriptor range(long id, String start, String end, long generation) {
        return range(id, start, end, generation, A, B, C);
    }

    static RangeDescriptor range(
            long id, String start, String end, long generation, NodeId... members) {
        return new RangeDescriptor(
                new RangeId(id),
                new KeyRange(key(start), key(end)),
                new Generation(generation),
                Arrays.asList(members));
    }

    static Key key(String text) {
        return switch (text) {
            case "<" -> Key.FIRST;
            case ">" -> Key.LAST;
            default -> Key.wrap(text.getBytes(StandardCharsets.US_ASCII));
        };
    }

    static RangeMap map(RangeDescriptor... ranges) {
        return RangeMap.EMPTY.after(whole(1, ranges));
    }

    static MapChange whole(long version, RangeDescriptor... ranges) {
        return new MapChange(version, true, List.of(ranges), List.of(), Map.of());
    }

    static MapChange change(long version, RangeDescriptor... ranges) {
        return new MapChange(version, false, List.of(ranges), List.of(), Map.of());
    }
}
