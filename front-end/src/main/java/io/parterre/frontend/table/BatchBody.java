package io.parterre.frontend.table;

import java.util.List;

/**
 * The body of a {@code $batch} request, split into parts that are not interpreted.
 *
 * @param sections sections directly under the outer boundary, in order
 */
public record BatchBody(List<Section> sections) {
    public BatchBody {
        sections = List.copyOf(sections);
    }

    /** Returns whether the body contains a change set. */
    public boolean hasChangeSet() {
        return sections.stream().anyMatch(Section.ChangeSet.class::isInstance);
    }

    /** A change set, or a single operation outside a change set. */
    public sealed interface Section {
        /**
         * Operations that are executed together.
         *
         * @param parts at most one more than a batch may have; the rest is not read
         */
        record ChangeSet(List<BatchPart> parts) implements Section {
            public ChangeSet {
                parts = List.copyOf(parts);
            }
        }

        /** An operation outside a change set; only a query may be one. */
        record Single(BatchPart part) implements Section {}
    }
}
