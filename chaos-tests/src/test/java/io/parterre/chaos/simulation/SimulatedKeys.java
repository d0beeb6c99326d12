package io.parterre.chaos.simulation;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One table of a few partitions: where ranges are split, and what clients write. */
final class SimulatedKeys {
    static final int PARTITIONS = 16;
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

    private final SplittableRandom random;
    private final List<Key> starts = new ArrayList<>();
    private final List<Key> samples = new ArrayList<>();

    SimulatedKeys(SplittableRandom random) {
        this.random = random;
        for (int i = 0; i < PARTITIONS; i++) {
            starts.add(KeyCodec.partition(TABLE, name(i)));
            samples.add(KeyCodec.entity(TABLE, name(i), "m"));
        }
    }

    private static String name(int partition) {
        return "p" + (char) ('a' + partition);
    }

    static Key row(int partition, String row) {
        return KeyCodec.entity(TABLE, name(partition), row);
    }

    Key start(int partition) {
        return starts.get(partition);
    }

    /** A key of the partition. */
    Key sample(int partition) {
        return samples.get(partition);
    }

    Key anySplitPoint() {
        return starts.get(random.nextInt(PARTITIONS));
    }

    /** Some inside, ascending; fewer if there are not so many. */
    List<Key> splitPointsOf(KeyRange bounds, int count) {
        List<Key> inside =
                new ArrayList<>(
                        starts.stream()
                                .filter(
                                        start ->
                                                bounds.contains(start)
                                                        && !bounds.start().equals(start))
                                .toList());
        while (inside.size() > count) {
            inside.remove(random.nextInt(inside.size()));
        }
        return inside;
    }
}
