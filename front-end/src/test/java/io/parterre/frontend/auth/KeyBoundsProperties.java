package io.parterre.frontend.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.store.EntityInterval;
import io.parterre.frontend.store.EntityPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Bounds of keys against the sentence of the documentation, written out. Source: docs/protocol.md
 * 8.5.
 */
final class KeyBoundsProperties {
    private static final List<String> KEYS = List.of("", "a", "aa", "b", "b\u0001", "c");

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.of(KEYS);
    }

    private static boolean documented(
            String spk, String srk, String epk, String erk, String pk, String rk) {
        boolean afterStart =
                srk.isEmpty()
                        ? pk.compareTo(spk) >= 0
                        : pk.compareTo(spk) > 0 || pk.equals(spk) && rk.compareTo(srk) >= 0;
        boolean beforeEnd =
                erk.isEmpty()
                        ? epk.isEmpty() || pk.compareTo(epk) <= 0
                        : pk.compareTo(epk) < 0 || pk.equals(epk) && rk.compareTo(erk) <= 0;
        return afterStart && beforeEnd;
    }

    @Property(tries = 2_000)
    void keyBoundsContainExactlyTheDocumentedKeys(
            @ForAll("keys") String spk,
            @ForAll("keys") String srk,
            @ForAll("keys") String epk,
            @ForAll("keys") String erk) {
        KeyBounds bounds = KeyBounds.of(spk, srk, epk, erk);
        for (String pk : KEYS) {
            for (String rk : KEYS) {
                assertThat(bounds.contains(pk, rk))
                        .isEqualTo(documented(spk, srk, epk, erk, pk, rk));
            }
        }
    }

    @Property(tries = 2_000)
    void keyBoundsClipKeepsExactlyKeysInIntervalsAndBounds(
            @ForAll("keys") String spk,
            @ForAll("keys") String srk,
            @ForAll("keys") String epk,
            @ForAll("keys") String erk,
            @ForAll("keys") String first,
            @ForAll("keys") String second) {
        KeyBounds bounds = KeyBounds.of(spk, srk, epk, erk);
        List<EntityInterval> intervals = new ArrayList<>();
        EntityPosition middle = EntityPosition.startOf(first + "m");
        if (new EntityPosition("", second).compareTo(middle) < 0) {
            intervals.add(new EntityInterval(new EntityPosition("", second), Optional.of(middle)));
        }
        intervals.add(new EntityInterval(middle.next(), Optional.empty()));
        List<EntityInterval> clipped = bounds.clip(intervals);
        for (String pk : KEYS) {
            for (String rk : KEYS) {
                EntityPosition at = new EntityPosition(pk, rk);
                assertThat(holds(clipped, at))
                        .isEqualTo(holds(intervals, at) && bounds.contains(pk, rk));
            }
        }
    }

    private static boolean holds(List<EntityInterval> intervals, EntityPosition at) {
        return intervals.stream()
                .anyMatch(
                        each ->
                                each.from().compareTo(at) <= 0
                                        && each.toExclusive()
                                                .map(to -> at.compareTo(to) < 0)
                                                .orElse(true));
    }
}
