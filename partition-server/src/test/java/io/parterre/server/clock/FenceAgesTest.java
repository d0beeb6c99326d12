package io.parterre.server.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FenceAgesTest {
    private static final long KEPT = FenceAges.KEPT_FOR.toNanos();
    private static final Key ONE = scope(1);
    private static final Key TWO = scope(2);

    private static Key scope(long table) {
        return KeyCodec.scope(Scope.ofTable(new AccountId(7), new ObjectId(table)));
    }

    @Test
    void fenceExpires_whenItWasKnownForLongEnough() {
        FenceAges ages = FenceAges.NONE.seen(Set.of(ONE), 100).seen(Set.of(ONE, TWO), 200);

        assertThat(ages.expired(99 + KEPT)).isEmpty();
        assertThat(ages.expired(100 + KEPT)).containsExactly(ONE);
        assertThat(ages.expired(200 + KEPT)).containsExactly(ONE, TWO);
    }

    @Test
    void fenceAgeRestarts_whenFenceWasRemovedAndSetAgain() {
        FenceAges ages =
                FenceAges.NONE.seen(Set.of(ONE), 100).seen(Set.of(), 200).seen(Set.of(ONE), 300);

        assertThat(ages.expired(299 + KEPT)).isEmpty();
        assertThat(ages.expired(300 + KEPT)).containsExactly(ONE);
    }

    @Test
    void noMoreExpireThanOneCommandTakes() {
        Set<Key> many = new HashSet<>();
        for (int table = 1; table <= 1_500; table++) {
            many.add(scope(table));
        }

        assertThat(FenceAges.NONE.seen(many, 0).expired(KEPT)).hasSize(1_000);
    }
}
