package io.parterre.frontend.client;

import io.parterre.frontend.route.RangeMap;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.KeySpace;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * The staleness of an account's data where stale reads are served: the greatest staleness that one
 * member of each of its ranges states, or of some of the ranges if there are many. A range whose
 * member cannot state one is asked again for up to two seconds, because a range just split off has
 * heard from no leader yet. Stateless; thread-safe.
 */
final class SecondaryAge {
    /** Bounds the cost of this rare question to about that of a query. */
    private static final int RANGES_MAX = 32;

    private final RangeCalls calls;
    private final Deadline deadline;
    private final StalenessNote note = new StalenessNote();

    private SecondaryAge(RangeCalls calls, Deadline deadline) {
        this.calls = calls;
        this.deadline = deadline;
    }

    /** Returns the staleness; empty if a range has no member that states it. Never fails. */
    static CompletableFuture<Optional<Duration>> of(
            RangeCalls calls, AccountId accountId, Deadline deadline) {
        SecondaryAge age = new SecondaryAge(calls, deadline);
        List<CompletableFuture<Void>> all =
                parts(calls.watch().view().map(), accountId, RANGES_MAX).stream()
                        .map(age::ask)
                        .toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> failure == null ? age.note.worst() : Optional.empty());
    }

    /** Asks for keys that belonged to one range, which may have been split since. */
    private CompletableFuture<Void> ask(KeyRange part) {
        return calls.readAged(part.start(), deadline, KeyMessages.readRow(part.start()))
                .thenCompose(
                        answer -> {
                            FollowerReads.note(note, answer);
                            Key end = answer.range().bounds().endExclusive();
                            return end.compareTo(part.endExclusive()) < 0
                                    ? ask(new KeyRange(end, part.endExclusive()))
                                    : CompletableFuture.completedFuture(null);
                        });
    }

    /**
     * Returns the ranges that hold data of the account, from the first key that it may have; at
     * most {@code rangesMax} of them.
     */
    static List<KeyRange> parts(RangeMap map, AccountId accountId, int rangesMax) {
        List<KeyRange> all = new ArrayList<>();
        for (KeySpace space : List.of(KeySpace.DIRECTORY, KeySpace.ENTITY)) {
            // Nothing of the account lies below the first scope that it can have in this key space.
            Key first = KeyCodec.scope(new Scope(space, accountId, ObjectId.TABLES));
            Key end = KeyCodec.account(space, accountId).afterPrefix();
            KeyRange keys = new KeyRange(first, end);
            for (RangeDescriptor range : map.overlapping(keys)) {
                all.add(range.bounds().intersection(keys));
            }
        }
        int count = Math.min(all.size(), rangesMax);
        return IntStream.range(0, count)
                .mapToObj(index -> all.get((int) ((long) index * all.size() / count)))
                .toList();
    }
}
