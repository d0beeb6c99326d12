package io.parterre.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SplitPointChooserTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

    private static Key partition(int number) {
        return KeyCodec.partition(TABLE, String.format("p%06d", number));
    }

    /** Samples of partitions by number, in order of time. */
    private static List<PartitionSample> samples(int count, IntUnaryOperator partitionAt) {
        List<PartitionSample> samples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            samples.add(new PartitionSample(partition(partitionAt.applyAsInt(i)), i + 1));
        }
        Collections.shuffle(samples, new Random(count));
        return samples;
    }

    private static LoadProfile profile(int count, IntUnaryOperator partitionAt) {
        return SplitPointChooser.choose(samples(count, partitionAt), KeyRange.ALL);
    }

    private static int number(LoadProfile profile) {
        return Integer.parseInt(
                KeyCodec.decode(profile.splitPoint().orElseThrow().append(new byte[] {0, 1}))
                        .partitionKey()
                        .substring(1));
    }

    @Test
    void loadProfileIsUnknown_whenSamplesAreTooFew() {
        assertThat(profile(0, i -> i)).isEqualTo(LoadProfile.UNKNOWN);
        assertThat(profile(SplitPointChooser.SAMPLES_MIN - 1, i -> i))
                .isEqualTo(LoadProfile.UNKNOWN);
        assertThat(profile(SplitPointChooser.SAMPLES_MIN, i -> i))
                .isNotEqualTo(LoadProfile.UNKNOWN);
    }

    @Test
    void noSplitPointIsChosen_whenLoadIsOnOnePartition() {
        assertThat(profile(256, i -> 5))
                .isEqualTo(LoadProfile.unsplittable(LoadShape.ONE_PARTITION));
    }

    @Test
    void noSplitPointIsChosen_whenOtherPartitionsAreNearlyIdle() {
        // 3 in 100 fall on either side.
        assertThat(profile(200, i -> i % 16 == 0 ? i % 32 : 5))
                .isEqualTo(LoadProfile.unsplittable(LoadShape.ONE_PARTITION));
    }

    @Test
    void splitPointIsBesidePopularPartition_whenRestHasLoad() {
        // Of five samples one lies before, three on the partition, one behind.
        LoadProfile profile = profile(200, i -> i % 5 == 0 ? 1 : i % 5 == 1 ? 9 : 5);
        assertThat(profile.shape()).isEqualTo(LoadShape.SPREAD);
        assertThat(number(profile)).isIn(5, 9);
        assertThat(profile.splitPointPermille()).isIn(200, 800);
    }

    @Test
    void splitPointIsBetweenPartitions_whenTwoHaveEqualLoad() {
        LoadProfile profile = profile(256, i -> i % 2 == 0 ? 3 : 4);
        assertThat(profile.shape()).isEqualTo(LoadShape.SPREAD);
        assertThat(number(profile)).isEqualTo(4);
        assertThat(profile.splitPointPermille()).isEqualTo(500);
    }

    @Test
    void splitPointIsBeforeLastPartition_whenLoadIsAppendOnly() {
        LoadProfile profile = profile(256, i -> i);
        assertThat(profile.shape()).isEqualTo(LoadShape.MOVING_TAIL);
        assertThat(number(profile)).isEqualTo(255);
        assertThat(profile.splitPointPermille()).isEqualTo(996);
    }

    @Test
    void movingTailIsDetected_whenAppendsArriveOutOfOrder() {
        Random random = new Random(3);
        assertThat(profile(256, i -> 10 * i + random.nextInt(200)).shape())
                .isEqualTo(LoadShape.MOVING_TAIL);
    }

    @Test
    void noSplitPointIsChosen_whenKeysOnlyDecrease() {
        assertThat(profile(256, i -> 1_000 - i))
                .isEqualTo(LoadProfile.unsplittable(LoadShape.MOVING_HEAD));
    }

    /** As a client does that reads its partitions one after the other, over and over. */
    @Test
    void loadIsSpread_whenPartitionsAreReadInOrderRepeatedly() {
        LoadProfile profile = profile(256, i -> i % 50);
        assertThat(profile.shape()).isEqualTo(LoadShape.SPREAD);
        assertThat(number(profile)).isBetween(24, 26);
    }

    @Test
    void loadIsSpread_whenAppendsMixWithOtherLoad() {
        Random random = new Random(4);
        LoadProfile profile = profile(256, i -> i % 2 == 0 ? 1_000 + i : random.nextInt(1_000));
        assertThat(profile.shape()).isEqualTo(LoadShape.SPREAD);
        assertThat(profile.splitPointPermille()).isBetween(400, 600);
    }

    @Test
    void samplesAreIgnored_whenOutsideRangeBounds() {
        KeyRange bounds = new KeyRange(partition(40), partition(60));
        List<PartitionSample> samples = samples(256, i -> (i * 37) % 100);
        LoadProfile profile = SplitPointChooser.choose(samples, bounds);
        assertThat(profile.shape()).isEqualTo(LoadShape.SPREAD);
        assertThat(number(profile)).isBetween(48, 52);
        assertThat(SplitPointChooser.choose(samples, new KeyRange(partition(200), partition(300))))
                .isEqualTo(LoadProfile.UNKNOWN);
    }

    /** The share of the whole load, of which the samples are but a part. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void splitPointRoughlyHalvesLoad_whenZipfDistributed(long seed) {
        Random random = new Random(seed);
        int[] place = random.ints(0, 1_000_000).distinct().limit(1_000).toArray();
        double[] share = new double[place.length];
        double sum = 0;
        for (int i = 0; i < share.length; i++) {
            sum += 1.0 / (i + 1);
        }
        double[] upTo = new double[share.length];
        for (int i = 0; i < share.length; i++) {
            share[i] = 1.0 / (i + 1) / sum;
            upTo[i] = share[i] + (i > 0 ? upTo[i - 1] : 0);
        }
        LoadProfile profile =
                profile(
                        PartitionSampler.SLOTS,
                        sample -> {
                            double at = random.nextDouble();
                            int i = 0;
                            while (i < upTo.length - 1 && upTo[i] < at) {
                                i++;
                            }
                            return place[i];
                        });

        assertThat(profile.shape()).isEqualTo(LoadShape.SPREAD);
        int splitPoint = number(profile);
        double before = 0;
        for (int i = 0; i < place.length; i++) {
            before += place[i] < splitPoint ? share[i] : 0;
        }
        // The most popular partition has 13 in 100, and goes to one side.
        assertThat(before).isBetween(0.33, 0.67);
        assertThat(profile.splitPointPermille() / 1_000.0).isBetween(before - 0.1, before + 0.1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void splitPointHalvesLoad_whenUniformlyDistributed(long seed) {
        Random random = new Random(seed);
        LoadProfile profile = profile(PartitionSampler.SLOTS, i -> random.nextInt(10_000));
        assertThat(profile.shape()).isEqualTo(LoadShape.SPREAD);
        assertThat(number(profile)).isBetween(4_000, 6_000);
        assertThat(profile.splitPointPermille()).isBetween(490, 510);
    }

    @Property
    void loadIsSpread_whenUniformOverTwoOrMorePartitions(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 5_000) int partitions) {
        Random random = new Random(seed);
        LoadProfile profile = profile(PartitionSampler.SLOTS, i -> random.nextInt(partitions));
        assertThat(profile.shape()).isEqualTo(LoadShape.SPREAD);
        if (partitions >= 20) {
            // By its samples; how those lie to the truth is asked with fixed seeds.
            assertThat(profile.splitPointPermille()).isBetween(400, 600);
        }
    }

    @Property
    void splitPointIsPartitionStartStrictlyInsideBounds(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 400) int count,
            @ForAll @IntRange(min = 1, max = 300) int partitions) {
        Random random = new Random(seed);
        int start = random.nextInt(partitions);
        KeyRange bounds =
                new KeyRange(partition(start), partition(start + 1 + random.nextInt(partitions)));
        int drift = random.nextInt(3) - 1;
        List<PartitionSample> samples =
                samples(
                        count,
                        i ->
                                Math.floorMod(
                                        drift == 0 ? random.nextInt(partitions) : drift * i,
                                        partitions));
        LoadProfile profile = SplitPointChooser.choose(samples, bounds);

        boolean divided =
                profile.shape() == LoadShape.SPREAD || profile.shape() == LoadShape.MOVING_TAIL;
        assertThat(profile.splitPoint().isPresent()).isEqualTo(divided);
        profile.splitPoint()
                .ifPresent(
                        splitPoint -> {
                            assertThat(KeyCodec.isSplitPoint(splitPoint)).isTrue();
                            assertThat(samples)
                                    .extracting(PartitionSample::partition)
                                    .contains(splitPoint);
                            assertThat(bounds.contains(splitPoint)).isTrue();
                            assertThat(splitPoint).isNotEqualTo(bounds.start());
                            long inside =
                                    samples.stream()
                                            .filter(each -> bounds.contains(each.partition()))
                                            .count();
                            long before =
                                    samples.stream()
                                            .filter(each -> bounds.contains(each.partition()))
                                            .filter(
                                                    each ->
                                                            each.partition().compareTo(splitPoint)
                                                                    < 0)
                                            .count();
                            assertThat(profile.splitPointPermille())
                                    .isEqualTo(Math.round(1_000f * before / inside));
                        });
        if (profile.shape() == LoadShape.SPREAD) {
            assertThat(profile.splitPointPermille())
                    .isBetween(
                            SplitPointChooser.SIDE_PERMILLE_MIN,
                            1_000 - SplitPointChooser.SIDE_PERMILLE_MIN);
        }
    }
}
