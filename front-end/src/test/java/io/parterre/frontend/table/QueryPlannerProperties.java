package io.parterre.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityView;
import io.parterre.entity.Property;
import io.parterre.filter.EntityPredicate;
import io.parterre.filter.Filter;
import io.parterre.filter.Operator;
import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Plans against brute force: reading a plan's intervals finds what reading the table finds. */
final class QueryPlannerProperties {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(1), new ObjectId(1));
    private static final String[] KEYS = {"", "a", "aa", "ab", "b", "\uD83D\uDE00", "\uFF5E"};

    @Provide
    Arbitrary<Filter> filters() {
        return filters(3);
    }

    private static Arbitrary<Filter> filters(int depth) {
        Arbitrary<Filter> leaves =
                Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(8, comparisons()),
                        net.jqwik.api.Tuple.of(
                                1, Arbitraries.of(true, false).map(Filter.Constant::new)),
                        net.jqwik.api.Tuple.of(
                                1,
                                Arbitraries.of("flag", "PartitionKey")
                                        .map(Filter.BooleanProperty::new)));
        if (depth == 0) {
            return leaves;
        }
        Arbitrary<List<Filter>> terms = filters(depth - 1).list().ofMinSize(1).ofMaxSize(4);
        return Arbitraries.oneOf(
                leaves,
                terms.map(Filter.And::new),
                terms.map(Filter.Or::new),
                filters(depth - 1).map(Filter.Not::new));
    }

    private static Arbitrary<Filter> comparisons() {
        Arbitrary<EdmValue> literals =
                Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(
                                9, Arbitraries.of(KEYS).map(EdmValue.StringValue::new)),
                        net.jqwik.api.Tuple.of(
                                1, Arbitraries.just((EdmValue) new EdmValue.Int32Value(1))));
        return Combinators.combine(
                        Arbitraries.of("PartitionKey", "PartitionKey", "RowKey", "RowKey", "name"),
                        Arbitraries.of(Operator.class),
                        literals)
                .as(Filter.Comparison::new);
    }

    private static List<EntityPosition> table() {
        List<EntityPosition> positions = new ArrayList<>();
        for (String partitionKey : KEYS) {
            for (String rowKey : KEYS) {
                positions.add(new EntityPosition(partitionKey, rowKey));
            }
        }
        return positions;
    }

    private static EntityView entity(EntityPosition position, int number) {
        List<Property> properties =
                List.of(
                        new Property("name", new EdmValue.StringValue(KEYS[number % KEYS.length])),
                        new Property("flag", new EdmValue.BooleanValue(number % 3 == 0)));
        return EntityView.of(
                KeyCodec.entity(SCOPE, position.partitionKey(), position.rowKey()),
                EntityCodec.encodeValue(number, EntityCodec.encodeBlock(properties)));
    }

    private static boolean holds(EntityInterval interval, EntityPosition position) {
        return interval.from().compareTo(position) <= 0
                && interval.toExclusive().map(to -> position.compareTo(to) < 0).orElse(true);
    }

    private static void findsTheSame(Filter filter, int intervalsMax) {
        QueryPlan plan = new QueryPlanner(intervalsMax).plan(filter);
        EntityPredicate whole = new EntityPredicate(filter);
        EntityPredicate residual = new EntityPredicate(plan.residual());
        int number = 0;
        for (EntityPosition position : table()) {
            EntityView view = entity(position, number++);
            boolean planned =
                    plan.intervals().stream().anyMatch(interval -> holds(interval, position))
                            && residual.test(view);
            assertThat(planned).as(position.toString()).isEqualTo(whole.test(view));
        }
        assertThat(plan.intervals()).hasSizeLessThanOrEqualTo(intervalsMax);
        for (int i = 1; i < plan.intervals().size(); i++) {
            Optional<EntityPosition> end = plan.intervals().get(i - 1).toExclusive();
            assertThat(end).isPresent();
            assertThat(end.get()).isLessThan(plan.intervals().get(i).from());
        }
    }

    @net.jqwik.api.Property(tries = 3_000)
    void planFindsExactlyWhatFilterFinds(@ForAll("filters") Filter filter) {
        findsTheSame(filter, 1_000);
    }

    @net.jqwik.api.Property(tries = 1_000)
    void planFindsExactlyWhatFilterFinds_withTwoIntervals(@ForAll("filters") Filter filter) {
        findsTheSame(filter, 2);
    }

    private static QueryPlan plan(String filter) {
        return new QueryPlanner(1_000).plan(FilterParser.parse(filter));
    }

    private static EntityInterval interval(EntityPosition from, EntityPosition to) {
        return new EntityInterval(from, Optional.of(to));
    }

    @Test
    void planIsOnePoint_whenBothKeysAreFixed() {
        QueryPlan plan = plan("PartitionKey eq 'p' and RowKey eq 'r'");
        EntityPosition point = new EntityPosition("p", "r");
        assertThat(plan.intervals()).containsExactly(interval(point, point.next()));
        assertThat(plan.residual()).isEqualTo(Filter.Constant.ALL);
    }

    @Test
    void planNeedsNoFilter_forRangeOfPartitions() {
        QueryPlan plan = plan("PartitionKey ge 'a' and PartitionKey lt 'c'");
        assertThat(plan.intervals())
                .containsExactly(
                        interval(EntityPosition.startOf("a"), EntityPosition.startOf("c")));
        assertThat(plan.residual()).isEqualTo(Filter.Constant.ALL);
    }

    @Test
    void planKeepsFilter_forRowKeyInRangeOfPartitions() {
        QueryPlan plan = plan("PartitionKey ge 'a' and RowKey eq 'r'");
        assertThat(plan.intervals())
                .containsExactly(new EntityInterval(EntityPosition.startOf("a"), Optional.empty()));
        assertThat(plan.residual())
                .isEqualTo(FilterParser.parse("PartitionKey ge 'a' and RowKey eq 'r'"));
    }

    @Test
    void planIsOneInterval_forRestOfPartitionAndAllAfter() {
        QueryPlan plan = plan("PartitionKey gt 'a' or (PartitionKey eq 'a' and RowKey ge 'x')");
        assertThat(plan.intervals())
                .containsExactly(
                        new EntityInterval(new EntityPosition("a", "x"), Optional.empty()));
        assertThat(plan.residual()).isEqualTo(Filter.Constant.ALL);
    }

    @Test
    void planFilterHoldsOnlyConditionsNotOnKeys() {
        QueryPlan plan = plan("PartitionKey eq 'p' and n gt 5");
        assertThat(plan.intervals())
                .containsExactly(interval(EntityPosition.startOf("p"), EntityPosition.endOf("p")));
        assertThat(plan.residual()).isEqualTo(FilterParser.parse("n gt 5"));
    }

    @Test
    void planIsEmpty_whenFilterCannotMatch() {
        assertThat(plan("PartitionKey eq 'p' and PartitionKey eq 'q'").intervals()).isEmpty();
        assertThat(plan("PartitionKey eq 5").intervals()).isEmpty();
        assertThat(plan("false and n gt 5").intervals()).isEmpty();
    }

    @Test
    void planIsWholeTable_whenKeysAreNotRestricted() {
        assertThat(plan("n gt 5").intervals()).containsExactly(EntityInterval.ALL);
        assertThat(plan("not (PartitionKey lt 'a') or PartitionKey lt 'b'").intervals())
                .containsExactly(EntityInterval.ALL);
    }

    @Test
    void planKeepsUpToThousandPointsAndThenWidens() {
        StringBuilder filter = new StringBuilder("(PartitionKey eq 'p0' and RowKey eq 'r')");
        for (int i = 1; i < 1_000; i++) {
            filter.append(" or (PartitionKey eq 'p" + i + "' and RowKey eq 'r')");
        }
        QueryPlan plan = plan(filter.toString());
        assertThat(plan.intervals()).hasSize(1_000);
        assertThat(plan.residual()).isEqualTo(Filter.Constant.ALL);
        filter.append(" or (PartitionKey eq 'p1000' and RowKey eq 'r')");
        QueryPlan wider = plan(filter.toString());
        assertThat(wider.intervals()).hasSizeLessThanOrEqualTo(1_000);
        assertThat(wider.residual()).isEqualTo(FilterParser.parse(filter.toString()));
    }

    @Test
    void planReadsAllMatches_whenKeysTakeMoreSpansThanItMayHave() {
        List<Filter> partitions = new ArrayList<>();
        for (String key : KEYS) {
            partitions.add(
                    new Filter.Comparison(
                            "PartitionKey", Operator.EQ, new EdmValue.StringValue(key)));
        }
        Filter row = new Filter.Comparison("RowKey", Operator.EQ, new EdmValue.StringValue("aa"));
        Filter filter = new Filter.And(List.of(new Filter.Or(partitions), row));
        findsTheSame(filter, 1);
        assertThat(new QueryPlanner(1).plan(filter).residual()).isEqualTo(filter);
    }
}
