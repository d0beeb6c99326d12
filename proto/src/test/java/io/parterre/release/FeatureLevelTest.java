package io.parterre.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class FeatureLevelTest {
    private static final FeatureLevel ONE = new FeatureLevel(1);
    private static final FeatureLevel TWO = new FeatureLevel(2);
    private static final FeatureLevel THREE = new FeatureLevel(3);

    @Test
    void levelIsFirst_whenReleaseTellsNone() {
        assertThat(FeatureLevel.told(0)).isEqualTo(ONE);
        assertThat(FeatureLevel.told(3)).isEqualTo(THREE);
        assertThat(FeatureLevels.UNTOLD.reads(ONE)).isTrue();
        assertThat(FeatureLevels.UNTOLD.reads(TWO)).isFalse();
    }

    @Test
    void releaseReadsLevel_whenBetweenOldestAndNewest() {
        FeatureLevels levels = new FeatureLevels(TWO, THREE);
        assertThat(levels.reads(ONE)).isFalse();
        assertThat(levels.reads(TWO)).isTrue();
        assertThat(levels.reads(THREE)).isTrue();
        assertThat(levels.reads(new FeatureLevel(4))).isFalse();
        assertThat(levels).hasToString("2..3");
        assertThat(FeatureLevels.UNTOLD).hasToString("1");
    }

    @Test
    void levelIsRefused_whenThereCanBeNoneSuch() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FeatureLevel(0));
        assertThatIllegalArgumentException().isThrownBy(() -> new FeatureLevels(THREE, TWO));
    }

    /** A feature of a level that this release does not know could never be used. */
    @Test
    void newestLevelHasAllFeatures_firstHasNone() {
        assertThat(Feature.values()).allMatch(FeatureLevel.NEWEST::has);
        assertThat(Feature.values()).noneMatch(FeatureLevel.FIRST::has);
        assertThat(Arrays.stream(Feature.values()).map(Feature::needed).collect(Collectors.toSet()))
                .as("each level above the first brings something")
                .hasSize(FeatureLevel.NEWEST.value() - 1);
    }

    @Test
    void clusterLevelNeverFalls_whenOlderWordComesLater() {
        ClusterLevel level = new ClusterLevel(ONE);
        assertThat(level.has(Feature.SLICED_ENTRIES)).isFalse();
        level.raise(TWO);
        level.raise(ONE);
        assertThat(level.get()).isEqualTo(TWO);
        assertThat(level.has(Feature.SLICED_ENTRIES)).isTrue();
    }

    @Test
    void newerReleaseIsFoundAsCause_howeverDeep() {
        NewerReleaseException newer = new NewerReleaseException("x");
        assertThat(NewerReleaseException.isCauseOf(new IOException(new IOException(newer))))
                .isTrue();
        assertThat(NewerReleaseException.isCauseOf(new IOException("x"))).isFalse();
    }
}
