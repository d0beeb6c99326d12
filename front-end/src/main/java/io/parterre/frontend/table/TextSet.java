package io.parterre.frontend.table;

import io.parterre.filter.Operator;
import io.parterre.frontend.store.EntityInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A set of strings: ascending, disjoint spans with gaps between them. Immutable.
 *
 * @param spans empty for the empty set
 */
record TextSet(List<TextSpan> spans) {
    static final TextSet NONE = new TextSet(List.of());
    static final TextSet ALL = new TextSet(List.of(TextSpan.ALL));

    TextSet {
        spans = List.copyOf(spans);
    }

    /** Returns the strings that have this relation to {@code text}. */
    static TextSet of(Operator operator, String text) {
        String next = TextSpan.after(text);
        return switch (operator) {
            case EQ -> of(new TextSpan(text, Optional.of(next)));
            case GE -> of(new TextSpan(text, Optional.empty()));
            case GT -> of(new TextSpan(next, Optional.empty()));
            case LE -> of(new TextSpan("", Optional.of(next)));
            case LT -> text.isEmpty() ? NONE : of(new TextSpan("", Optional.of(text)));
            case NE -> {
                TextSpan above = new TextSpan(next, Optional.empty());
                yield text.isEmpty()
                        ? of(above)
                        : new TextSet(List.of(new TextSpan("", Optional.of(text)), above));
            }
        };
    }

    private static TextSet of(TextSpan span) {
        return new TextSet(List.of(span));
    }

    boolean isEmpty() {
        return spans.isEmpty();
    }

    boolean isAll() {
        return equals(ALL);
    }

    TextSet union(TextSet other) {
        return combine(other, true);
    }

    TextSet intersect(TextSet other) {
        return combine(other, false);
    }

    /** Combines two sets in one sweep over the bounds of both. */
    private TextSet combine(TextSet other, boolean union) {
        List<TextSpan> result = new ArrayList<>();
        Sweep left = new Sweep(spans);
        Sweep right = new Sweep(other.spans);
        Optional<String> open = Optional.empty();
        for (Optional<String> at = Optional.of(""); at.isPresent(); ) {
            boolean inLeft = left.contains(at.get());
            boolean inRight = right.contains(at.get());
            boolean inside = union ? inLeft || inRight : inLeft && inRight;
            if (inside && open.isEmpty()) {
                open = at;
            } else if (!inside && open.isPresent()) {
                result.add(new TextSpan(open.get(), at));
                open = Optional.empty();
            }
            at = EntityInterval.lowerEnd(left.boundAfter(), right.boundAfter());
        }
        open.ifPresent(from -> result.add(new TextSpan(from, Optional.empty())));
        return new TextSet(result);
    }

    /** Iterates over the spans of one set in ascending order. */
    private static final class Sweep {
        private final List<TextSpan> spans;
        private int index;
        private boolean inside;

        Sweep(List<TextSpan> spans) {
            this.spans = spans;
        }

        /**
         * Returns whether the set contains the string; to be called in ascending order, at bounds
         * only.
         */
        boolean contains(String text) {
            if (inside && spans.get(index).toExclusive().equals(Optional.of(text))) {
                inside = false;
                index++;
            }
            if (!inside && index < spans.size() && spans.get(index).from().equals(text)) {
                inside = true;
            }
            return inside;
        }

        Optional<String> boundAfter() {
            if (index == spans.size()) {
                return Optional.empty();
            }
            TextSpan span = spans.get(index);
            return inside ? span.toExclusive() : Optional.of(span.from());
        }
    }
}
