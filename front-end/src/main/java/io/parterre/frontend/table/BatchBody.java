package io.parterre.frontend.table;

import java.util.List;

/**
 * The body of a {@code $batch} request, taken apart but not understood.
 *
 * @param sections what stands directly under the outer boundary, in order
 */
public record BatchBody(List<Section> sections) {
    public BatchBody {
        sections = List.copyOf(sections);
    }

    /** Whether it is more than queries. */
    public boolean hasChangeSet() {
        return sections.stream().anyMatch(Section.ChangeSet.class::isInstance);
    }

    /** A change set, or a single operation outside of one. */
    public sealed interface Section {
        /**
         * Operations that happen together.
         *
         * @param parts one more than a batch may have at most: the rest is not read
         */
        record ChangeSet(List<BatchPart> parts) implements Section {
            public ChangeSet {
                parts = List.copyOf(parts);
            }
        }

        /** An operation on its own; only a query may stand so. */
        record Single(BatchPart part) implements Section {}
    }
}
