package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Determines from samples the distribution of a range's load, and the split point that divides it
 * best. Stateless; safe for any thread.
 */
public final class SplitPointChooser {
    /**
     * With fewer samples, the shares on both sides would be known to some 20 percentage points
     * only.
     */
    static final int SAMPLES_MIN = 32;

    /** A split point that leaves less than this share on one side is not worth its cost. */
    static final int SIDE_PERMILLE_MIN = 150;

    /** With fewer partitions, load may go through them in order by chance. */
    static final int MOVING_PARTITIONS_MIN = 16;

    /**
     * By chance half of the pairs are in order; calls that overtake one another reduce the share a
     * little.
     */
    static final int MOVING_PERMILLE_MIN = 900;

    private SplitPointChooser() {}

    /**
     * Returns the profile.
     *
     * @param samples in any order; samples outside the bounds do not count
     */
    public static LoadProfile choose(List<PartitionSample> samples, KeyRange bounds) {
        Key[] inOrderOfTime =
                samples.stream()
                        .filter(sample -> bounds.contains(sample.partition()))
                        .sorted(Comparator.comparingLong(PartitionSample::sequence))
                        .map(PartitionSample::partition)
                        .toArray(Key[]::new);
        if (inOrderOfTime.length < SAMPLES_MIN) {
            return LoadProfile.UNKNOWN;
        }
        Key[] partitions = Arrays.stream(inOrderOfTime).sorted().distinct().toArray(Key[]::new);
        int[] ranks =
                Arrays.stream(inOrderOfTime)
                        .mapToInt(partition -> Arrays.binarySearch(partitions, partition))
                        .toArray();
        int[] samplesBefore = samplesBefore(ranks, partitions.length);
        int forward = forwardPermille(ranks);
        boolean many = partitions.length >= MOVING_PARTITIONS_MIN;
        if (many && forward >= MOVING_PERMILLE_MIN) {
            return profile(LoadShape.MOVING_TAIL, partitions, samplesBefore, partitions.length - 1);
        }
        if (many && forward <= 1_000 - MOVING_PERMILLE_MIN) {
            return LoadProfile.unsplittable(LoadShape.MOVING_HEAD);
        }
        return divided(partitions, samplesBefore);
    }

    /**
     * Returns for each partition the number of samples before it, and at the end the number of all
     * samples.
     */
    private static int[] samplesBefore(int[] ranks, int partitions) {
        int[] before = new int[partitions + 1];
        for (int rank : ranks) {
            before[rank + 1]++;
        }
        for (int i = 1; i <= partitions; i++) {
            before[i] += before[i - 1];
        }
        return before;
    }

    /**
     * Returns the share of pairs of samples of different partitions in which the later sample has
     * the later partition, in thousandths. Pairs at any distance count, not only neighbours: load
     * that goes through the same partitions again and again is in order from one sample to the
     * next, too.
     */
    private static int forwardPermille(int[] ranks) {
        long forward = 0;
        long pairs = 0;
        for (int later = 1; later < ranks.length; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                if (ranks[earlier] != ranks[later]) {
                    pairs++;
                    forward += ranks[earlier] < ranks[later] ? 1 : 0;
                }
            }
        }
        return pairs == 0 ? 500 : (int) (1_000 * forward / pairs);
    }

    /** Nothing lies before the first partition, so a split point there divides nothing. */
    private static LoadProfile divided(Key[] partitions, int[] samplesBefore) {
        int samples = samplesBefore[partitions.length];
        int best = 0;
        for (int i = 1; i < partitions.length; i++) {
            if (Math.abs(2 * samplesBefore[i] - samples)
                    < Math.abs(2 * samplesBefore[best] - samples)) {
                best = i;
            }
        }
        LoadProfile profile = profile(LoadShape.SPREAD, partitions, samplesBefore, best);
        int smaller = Math.min(profile.splitPointPermille(), 1_000 - profile.splitPointPermille());
        // If no split point leaves that much, the partition between the two best has all the rest.
        return smaller < SIDE_PERMILLE_MIN
                ? LoadProfile.unsplittable(LoadShape.ONE_PARTITION)
                : profile;
    }

    private static LoadProfile profile(
            LoadShape shape, Key[] partitions, int[] samplesBefore, int index) {
        int samples = samplesBefore[partitions.length];
        return new LoadProfile(
                shape,
                Optional.of(partitions[index]),
                Math.round(1_000f * samplesBefore[index] / samples));
    }
}
