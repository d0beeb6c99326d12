package io.parterre.deploy.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.server.record.RowChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Changes of keys, whatever is held of them at a time. */
final class KeyChangesTest {
    private static final KeyRange ALL = keys(1, 100);

    private static Key key(int at) {
        return Key.copyOf(new byte[] {(byte) at});
    }

    private static KeyRange keys(int from, int to) {
        return new KeyRange(key(from), key(to));
    }

    private static RowChange any(Random random) {
        int at = 1 + random.nextInt(99);
        return switch (random.nextInt(8)) {
            case 0 -> new RowChange.Delete(key(at));
            case 1 -> new RowChange.DeleteRange(keys(at, at + 1 + random.nextInt(20)));
            default -> new RowChange.Put(key(at), new byte[random.nextInt(60)]);
        };
    }

    /** What became of rows, by what each change means. */
    private static NavigableMap<Key, Integer> expected(
            Map<Key, byte[]> base, List<RowChange> changes, KeyRange within) {
        NavigableMap<Key, Integer> rows = new TreeMap<>();
        base.forEach((key, value) -> rows.put(key, value.length));
        for (RowChange change : changes) {
            if (change instanceof RowChange.Put put && within.contains(put.key())) {
                rows.put(put.key(), put.value().length);
            } else if (change instanceof RowChange.Delete delete && within.contains(delete.key())) {
                rows.remove(delete.key());
            } else if (change instanceof RowChange.DeleteRange emptied
                    && emptied.keys().overlaps(within)) {
                KeyRange gone = emptied.keys().intersection(within);
                rows.subMap(gone.start(), gone.endExclusive()).clear();
            }
        }
        return rows;
    }

    private static NavigableMap<Key, Integer> inPasses(
            Map<Key, byte[]> base, List<RowChange> changes, KeyRange within, long bytesMax) {
        NavigableMap<Key, Integer> rows = new TreeMap<>();
        Key at = ALL.start();
        int passes = 0;
        while (at.compareTo(ALL.endExclusive()) < 0) {
            KeyChanges pass =
                    new KeyChanges(new KeyRange(at, ALL.endExclusive()), key -> true, bytesMax);
            changes.forEach(change -> pass.apply(change, within));
            base.forEach(
                    (key, value) -> {
                        if (pass.keys().contains(key) && pass.leaves(key)) {
                            rows.put(key, value.length);
                        }
                    });
            pass.put().forEach((key, value) -> rows.put(key, value.length));
            at = pass.keys().endExclusive();
            assertThat(++passes).isLessThan(200);
        }
        return rows;
    }

    @Test
    void rowsAreTheSame_howeverLittleIsHeldAtATime() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Map<Key, byte[]> base = new TreeMap<>();
            for (int i = 0; i < 30; i++) {
                base.put(key(1 + random.nextInt(99)), new byte[random.nextInt(60)]);
            }
            List<RowChange> changes = new ArrayList<>();
            for (int i = random.nextInt(200); i > 0; i--) {
                changes.add(any(random));
            }
            KeyRange within = random.nextBoolean() ? ALL : keys(20, 80);
            NavigableMap<Key, Integer> expected = expected(base, changes, within);
            for (long bytesMax : List.of(1L, 500L, 3_000L, 1L << 30)) {
                assertThat(inPasses(base, changes, within, bytesMax))
                        .as("seed %d, %d bytes", seed, bytesMax)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void keysNotWanted_areNotHeld() {
        KeyChanges changes = new KeyChanges(ALL, key(5)::equals, 1_000);
        for (int i = 1; i < 99; i++) {
            changes.apply(new RowChange.Put(key(i), new byte[50]), ALL);
        }
        assertThat(changes.keys()).isEqualTo(ALL);
        assertThat(changes.put().keySet()).isEqualTo(Set.of(key(5)));
    }
}
