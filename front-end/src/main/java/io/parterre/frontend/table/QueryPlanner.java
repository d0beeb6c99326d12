package io.parterre.frontend.table;

import io.parterre.entity.EdmValue;
import io.parterre.filter.Filter;
import io.parterre.filter.Operator;
import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * Derives from a filter which keys can match. Stateless; thread-safe.
 *
 * <p>Every part of a filter that concerns only keys becomes an exact {@link KeyRegion}. Nothing is
 * known of the other parts, so they may match anywhere. Negation is first pushed down to the
 * comparisons, because only a set of possible matches can be widened safely. The region is then
 * converted to intervals in key order. Partitions with a condition on their RowKeys are exact if
 * there is a single partition; otherwise whole partitions are read and the filter decides.
 *
 * @param intervalsMax most intervals of a plan; a plan that needs more has fewer, wider ones
 */
public record QueryPlanner(int intervalsMax) {
    public QueryPlan plan(Filter filter) {
        Reading reading = new Reading(4 * intervalsMax);
        KeyRegion region = filter.match(reading);
        Layout layout = new Layout();
        for (KeyRegion.Slice slice : region.slices()) {
            layout.add(slice);
        }
        List<EntityInterval> intervals = layout.intervals;
        if (intervals.isEmpty()) {
            return new QueryPlan(List.of(), Filter.Constant.ALL);
        }
        boolean exact = layout.exact && !reading.coarsened;
        if (intervals.size() > intervalsMax) {
            intervals = widened(intervals);
            exact = false;
        }
        return new QueryPlan(intervals, exact ? withoutKeyTerms(filter) : filter);
    }

    /** Merges neighbouring intervals until their number fits. */
    private List<EntityInterval> widened(List<EntityInterval> intervals) {
        int groupLength = (intervals.size() + intervalsMax - 1) / intervalsMax;
        List<EntityInterval> result = new ArrayList<>();
        for (int i = 0; i < intervals.size(); i += groupLength) {
            int last = Math.min(i + groupLength, intervals.size()) - 1;
            result.add(
                    new EntityInterval(intervals.get(i).from(), intervals.get(last).toExclusive()));
        }
        return result;
    }

    /**
     * Returns what remains of a filter when every tested entity lies in its region: terms that
     * concern only keys are true there.
     */
    private static Filter withoutKeyTerms(Filter filter) {
        if (isAboutKeysAlone(filter)) {
            return Filter.Constant.ALL;
        }
        if (!(filter instanceof Filter.And and)) {
            return filter;
        }
        List<Filter> others = and.terms().stream().filter(term -> !isAboutKeysAlone(term)).toList();
        return others.size() == 1 ? others.get(0) : new Filter.And(others);
    }

    private static boolean isAboutKeysAlone(Filter filter) {
        return filter.match(
                new Filter.Cases<>() {
                    @Override
                    public Boolean and(Filter.And and) {
                        return and.terms().stream().allMatch(term -> term.match(this));
                    }

                    @Override
                    public Boolean or(Filter.Or or) {
                        return or.terms().stream().allMatch(term -> term.match(this));
                    }

                    @Override
                    public Boolean not(Filter.Not not) {
                        return not.term().match(this);
                    }

                    @Override
                    public Boolean comparison(Filter.Comparison comparison) {
                        return isKey(comparison.property());
                    }

                    @Override
                    public Boolean truth(Filter.BooleanProperty property) {
                        return false;
                    }

                    @Override
                    public Boolean constant(Filter.Constant constant) {
                        return true;
                    }
                });
    }

    private static boolean isKey(String property) {
        return property.equals("PartitionKey") || property.equals("RowKey");
    }

    /** Converts slices to intervals in entity order, joining intervals that touch. */
    private static final class Layout {
        private final List<EntityInterval> intervals = new ArrayList<>();
        private boolean exact = true;

        void add(KeyRegion.Slice slice) {
            TextSpan partitions = slice.partitions();
            if (partitions.isPoint()) {
                for (TextSpan rows : slice.rows().spans()) {
                    append(
                            new EntityPosition(partitions.from(), rows.from()),
                            Optional.of(
                                    rows.toExclusive()
                                            .map(to -> new EntityPosition(partitions.from(), to))
                                            .orElse(EntityPosition.endOf(partitions.from()))));
                }
            } else {
                exact &= slice.rows().isAll();
                append(
                        EntityPosition.startOf(partitions.from()),
                        partitions.toExclusive().map(EntityPosition::startOf));
            }
        }

        private void append(EntityPosition from, Optional<EntityPosition> to) {
            int last = intervals.size() - 1;
            if (last >= 0 && intervals.get(last).toExclusive().equals(Optional.of(from))) {
                intervals.set(last, new EntityInterval(intervals.get(last).from(), to));
            } else {
                intervals.add(new EntityInterval(from, to));
            }
        }
    }

    /** Converts a tree, negated or not, to the region where it may match. */
    private static final class Reading implements Filter.Cases<KeyRegion> {
        private final int sizeMax;
        private boolean negated;
        private boolean coarsened;

        Reading(int sizeMax) {
            this.sizeMax = sizeMax;
        }

        @Override
        public KeyRegion and(Filter.And and) {
            return negated ? joined(and.terms(), false) : joined(and.terms(), true);
        }

        @Override
        public KeyRegion or(Filter.Or or) {
            return negated ? joined(or.terms(), true) : joined(or.terms(), false);
        }

        /** Combines terms, at least one, pairwise in rounds: a thousand terms need ten passes. */
        private KeyRegion joined(List<Filter> terms, boolean intersect) {
            BinaryOperator<KeyRegion> combine = intersect ? KeyRegion::intersect : KeyRegion::union;
            List<KeyRegion> regions = new ArrayList<>();
            terms.forEach(term -> regions.add(term.match(this)));
            List<KeyRegion> round = regions;
            while (round.size() > 1) {
                List<KeyRegion> next = new ArrayList<>();
                for (int i = 0; i + 1 < round.size(); i += 2) {
                    next.add(bounded(combine.apply(round.get(i), round.get(i + 1))));
                }
                if (round.size() % 2 == 1) {
                    next.add(round.get(round.size() - 1));
                }
                round = next;
            }
            return round.get(0);
        }

        @SuppressWarnings("ReferenceEquality") // the same region: it was small enough
        private KeyRegion bounded(KeyRegion region) {
            KeyRegion result = region.coarsened(sizeMax);
            coarsened |= result != region;
            return result;
        }

        @Override
        public KeyRegion not(Filter.Not not) {
            negated = !negated;
            KeyRegion region = not.term().match(this);
            negated = !negated;
            return region;
        }

        @Override
        public KeyRegion comparison(Filter.Comparison comparison) {
            if (!isKey(comparison.property())) {
                return KeyRegion.ALL;
            }
            Operator operator = comparison.operator();
            if (!(comparison.literal() instanceof EdmValue.StringValue text)) {
                // Keys are strings, so against any other type only "ne" holds.
                return (operator == Operator.NE) != negated ? KeyRegion.ALL : KeyRegion.NONE;
            }
            TextSet keys = TextSet.of(negated ? opposite(operator) : operator, text.value());
            return comparison.property().equals("PartitionKey")
                    ? KeyRegion.partitions(keys)
                    : KeyRegion.rows(keys);
        }

        private static Operator opposite(Operator operator) {
            return switch (operator) {
                case EQ -> Operator.NE;
                case NE -> Operator.EQ;
                case GT -> Operator.LE;
                case LE -> Operator.GT;
                case GE -> Operator.LT;
                case LT -> Operator.GE;
            };
        }

        @Override
        public KeyRegion truth(Filter.BooleanProperty property) {
            // A bare key is no Boolean and therefore false. This is so rare that the filter decides
            // it.
            return KeyRegion.ALL;
        }

        @Override
        public KeyRegion constant(Filter.Constant constant) {
            return constant.value() != negated ? KeyRegion.ALL : KeyRegion.NONE;
        }
    }
}
