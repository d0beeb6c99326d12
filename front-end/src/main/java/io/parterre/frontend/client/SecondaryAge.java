package io.parterre.frontend.client;

import com.google.protobuf.UnsafeByteOperations;
import io.parterre.frontend.route.RangeMap;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.KeySpace;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.ReadRow;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * How old an account's data is where stale reads are served: the worst of what one member of each
 * of its ranges says, or of some of the ranges if there are many. Stateless; safe for any thread.
 */
final class SecondaryAge {
    /** It is asked now and then and need not cost more than a query. */
    private static final int RANGES_MAX = 32;

    private SecondaryAge() {}

    /** Empty if some range has no member that tells. Never fails. */
    static CompletableFuture<Optional<Duration>> of(
            RangeCalls calls, AccountId accountId, Deadline deadline) {
        StalenessNote note = new StalenessNote();
        FollowerReads reads = new FollowerReads(calls, note);
        List<CompletableFuture<RangeAnswer>> answers =
                keys(calls.watch().view().map(), accountId, RANGES_MAX).stream()
                        .map(
                                key ->
                                        reads.read(
                                                key,
                                                deadline,
                                                (request, range) -> {
                                                    request.setReadRow(row(key));
                                                }))
                        .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> failure == null ? note.worst() : Optional.empty());
    }

    private static ReadRow row(Key key) {
        return ReadRow.newBuilder()
                .setKey(UnsafeByteOperations.unsafeWrap(key.unsafeBytes()))
                .build();
    }

    /** A key in each of the ranges that hold anything of the account; of at most so many ranges. */
    static List<Key> keys(RangeMap map, AccountId accountId, int rangesMax) {
        List<Key> all = new ArrayList<>();
        for (KeySpace space : List.of(KeySpace.DIRECTORY, KeySpace.ENTITY)) {
            // Nothing of the account lies below the first scope that it can have there.
            Key first = KeyCodec.scope(new Scope(space, accountId, ObjectId.TABLES));
            Key end = KeyCodec.account(space, accountId).afterPrefix();
            for (RangeDescriptor range : map.overlapping(new KeyRange(first, end))) {
                Key start = range.bounds().start();
                all.add(start.compareTo(first) > 0 ? start : first);
            }
        }
        int count = Math.min(all.size(), rangesMax);
        return IntStream.range(0, count)
                .mapToObj(index -> all.get((int) ((long) index * all.size() / count)))
                .toList();
    }
}
