package io.parterre.bench.cluster;

import static org.awaitility.Awaitility.await;

import io.parterre.bench.report.Figure;
import io.parterre.chaos.process.Operator;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Splits the key space into many ranges, then measures their cost without requests. */
public record ManyRanges(int count, IdleCost cost) implements Course {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Above all existing tables, so that every range except the first is empty. */
    private static final Scope UNUSED =
            Scope.ofTable(new AccountId(1L << 40), new ObjectId(1L << 40));

    @Override
    public List<Figure> run(Subject subject, Consumer<String> progress) {
        Operator operator = subject.cluster().operator();
        String first = operator.firstRange();
        // Each split point separates the upper end of the first range.
        for (int ranges = ranges(operator); ranges < count; ranges = ranges(operator)) {
            int before = ranges;
            await("a split of " + before + " ranges that may be begun")
                    .atMost(PATIENCE)
                    .until(
                            () ->
                                    operator.tryAsk(
                                                    "split",
                                                    first,
                                                    "--at",
                                                    splitPoint(count - before))
                                            .isPresent());
            await("one range more than " + before)
                    .atMost(PATIENCE)
                    .until(() -> ranges(operator) > before);
            if (before % 10 == 0) {
                progress.accept("- ranges: " + before);
            }
        }
        subject.cluster().awaitHealthy();
        return cost.run(subject, progress);
    }

    private static int ranges(Operator operator) {
        return operator.tryAsk("ranges").map(answer -> answer.path("ranges").size()).orElse(0);
    }

    private static String splitPoint(int number) {
        byte[] key =
                KeyCodec.partition(UNUSED, String.format(Locale.ROOT, "p%05d", number)).toBytes();
        return HexFormat.of().formatHex(key);
    }
}
