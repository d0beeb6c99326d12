package io.parterre.chaos.fault;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.process.Operator;
import io.parterre.chaos.process.RangeView;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.Scope;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Splits and merges ranges between partitions that clients use, as an operator would. The counters
 * are thread-safe; everything else is confined to one thread.
 */
public final class RangeNemesis {
    private static final Duration ASKED_WITHIN = Duration.ofSeconds(60);
    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(50);

    private final Operator operator;
    private final SplittableRandom random;
    private final int rangesMax;
    private final AtomicLong splits = new AtomicLong();
    private final AtomicLong merges = new AtomicLong();
    private final AtomicLong undone = new AtomicLong();
    private Optional<Scope> table = Optional.empty();

    /**
     * Creates a nemesis.
     *
     * @param rangesMax most ranges that it creates
     */
    public RangeNemesis(Operator operator, SplittableRandom random, int rangesMax) {
        this.operator = operator;
        this.random = random;
        this.rangesMax = rangesMax;
    }

    /**
     * Splits the first range where its leader chooses. The split point shows the key prefix of the
     * table with most of the bytes; all other split points will be in this table.
     */
    public void splitInHalf() {
        RangeView whole = operator.ranges().get(0);
        operator.ask("split", Long.toString(whole.id()));
        Key at =
                await("a range cut in half")
                        .atMost(SETTLED_WITHIN)
                        .pollInterval(POLL)
                        .until(
                                () -> operator.tryRanges().orElse(List.of()),
                                ranges ->
                                        ranges.size() > 1
                                                && ranges.stream().allMatch(RangeView::isAtRest))
                        .get(1)
                        .bounds()
                        .start();
        table = Optional.of(KeyCodec.scopeOf(at));
        splits.incrementAndGet();
    }

    /**
     * Plans a change at one of these partitions. The fewer ranges there are, the more likely it is
     * a split.
     */
    public RangeChange plan(Collection<String> partitions) {
        int ranges = operator.ranges().size();
        boolean merge = ranges >= rangesMax || (ranges > 2 && random.nextBoolean());
        return merge ? planMerge() : planSplit(partitions);
    }

    /** Plans a split at the beginning of one of these partitions. */
    public RangeChange planSplit(Collection<String> partitions) {
        List<RangeView> ranges = operator.ranges();
        List<Key> cuts =
                partitions.stream()
                        .map(partition -> KeyCodec.partition(table.orElseThrow(), partition))
                        .filter(cut -> !beginsAt(ranges, cut))
                        .toList();
        return split(ranges, cuts.get(random.nextInt(cuts.size())));
    }

    private static RangeChange split(List<RangeView> ranges, Key cut) {
        long rangeId =
                ranges.stream()
                        .filter(range -> range.bounds().contains(cut))
                        .findFirst()
                        .orElseThrow()
                        .id();
        return new RangeChange(RangeChange.Kind.SPLIT, rangeId, OptionalLong.empty(), cut);
    }

    /** Plans a merge of two neighbours. */
    public RangeChange planMerge() {
        List<RangeView> ranges = operator.ranges();
        return merge(ranges, random.nextInt(ranges.size() - 1));
    }

    private static RangeChange merge(List<RangeView> ranges, int left) {
        RangeView right = ranges.get(left + 1);
        return new RangeChange(
                RangeChange.Kind.MERGE,
                ranges.get(left).id(),
                OptionalLong.of(right.id()),
                right.bounds().start());
    }

    /** Plans a split at this key or, if a range begins there, the merge that undoes it. */
    public RangeChange planAt(Key key) {
        List<RangeView> ranges = operator.ranges();
        for (int left = 0; left < ranges.size() - 1; left++) {
            if (ranges.get(left + 1).bounds().start().equals(key)) {
                return merge(ranges, left);
            }
        }
        return split(ranges, key);
    }

    /**
     * Requests the change and returns when the managers have recorded it. For a moment they refuse
     * a change of a range that was just created, or whose leader is gone.
     */
    public void ask(RangeChange change) {
        try {
            await(change.toString())
                    .atMost(ASKED_WITHIN)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL)
                    .until(() -> tryAsk(change));
        } catch (ConditionTimeoutException e) {
            operator.ask(command(change));
        }
    }

    /**
     * Requests the change once.
     *
     * @return whether the managers have answered that it is recorded
     */
    public boolean tryAsk(RangeChange change) {
        return operator.tryAsk(command(change)).isPresent();
    }

    private static String[] command(RangeChange change) {
        String range = Long.toString(change.rangeId());
        return switch (change.kind()) {
            case SPLIT ->
                    new String[] {
                        "split", range, "--at", HexFormat.of().formatHex(change.at().toBytes())
                    };
            case MERGE ->
                    new String[] {"merge", range, Long.toString(change.rightId().orElseThrow())};
        };
    }

    /**
     * Waits until the change has taken effect or is undone, and all ranges serve.
     *
     * @return whether it has taken effect
     */
    public boolean awaitEnd(RangeChange change) {
        List<RangeView> ranges;
        try {
            ranges =
                    await("end of " + change)
                            .atMost(SETTLED_WITHIN)
                            .pollDelay(Duration.ZERO)
                            .pollInterval(POLL)
                            .until(
                                    () -> operator.tryRanges().orElse(List.of()),
                                    all ->
                                            !all.isEmpty()
                                                    && all.stream().allMatch(RangeView::isAtRest));
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException(change + ": " + operator.tryAsk("ranges"), e);
        }
        RangeView.wrongCover(ranges)
                .ifPresent(
                        wrong -> {
                            throw new IllegalStateException(change + ": " + wrong);
                        });
        boolean splits = change.kind() == RangeChange.Kind.SPLIT;
        boolean done = splits == beginsAt(ranges, change.at());
        (done ? (splits ? this.splits : merges) : undone).incrementAndGet();
        return done;
    }

    private static boolean beginsAt(List<RangeView> ranges, Key key) {
        return ranges.stream().anyMatch(range -> range.bounds().start().equals(key));
    }

    /** Returns the number of changes so far that have taken effect. */
    public long changes() {
        return splits.get() + merges.get();
    }

    /** Returns the number of splits so far that have taken effect. */
    public long splits() {
        return splits.get();
    }

    /** Returns the number of merges so far that have taken effect. */
    public long merges() {
        return merges.get();
    }

    /** Returns the number of changes so far that were begun and have not taken effect. */
    public long undone() {
        return undone.get();
    }
}
