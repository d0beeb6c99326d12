package io.parterre.manager.plan.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.request.Upgrade.Member;
import io.parterre.manager.plan.request.Upgrade.Role;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UpgradeTest {
    private static final FeatureLevel ONE = new FeatureLevel(1);
    private static final FeatureLevel TWO = new FeatureLevel(2);
    private static final FeatureLevel THREE = new FeatureLevel(3);
    private static final FeatureLevel FOUR = new FeatureLevel(4);
    private static final FeatureLevel FIVE = new FeatureLevel(5);

    private static Member reads(Role role, String id, FeatureLevel oldest, FeatureLevel newest) {
        return new Member(
                role,
                id,
                Optional.of(new Release("0." + newest, new FeatureLevels(oldest, newest))));
    }

    private static Member silent(Role role, String id) {
        return new Member(role, id, Optional.empty());
    }

    private static Upgrade of(Member... members) {
        return new Upgrade(ONE, TWO, List.of(members));
    }

    @Test
    void levelIsRaised_whenAllReadTheNext() {
        Upgrade upgrade =
                of(
                        reads(Role.MANAGER, "m1", ONE, TWO),
                        reads(Role.SERVER, "s1", ONE, THREE),
                        reads(Role.FRONT_END, "f1", TWO, TWO));
        assertThat(upgrade.hindrances(TWO)).isEmpty();
        assertThat(upgrade.readable()).isEqualTo(TWO);
        assertThat(upgrade.atFirst()).isEqualTo(TWO);
        assertThat(upgrade.finalized(Optional.empty()))
                .isInstanceOfSatisfying(
                        Verdict.Do.class,
                        done ->
                                assertThat(done.commands())
                                        .containsExactly(new MapCommand.RaiseLevel(ONE, TWO)));
    }

    @Test
    void finalizeNamesAllWhoHinder_whateverTheirRole() {
        Upgrade upgrade =
                of(
                        reads(Role.MANAGER, "m1", ONE, TWO),
                        silent(Role.MANAGER, "m2"),
                        new Member(
                                Role.SERVER,
                                "s1",
                                Optional.of(new Release("", FeatureLevels.UNTOLD))),
                        reads(Role.FRONT_END, "f1", THREE, THREE));
        assertThat(Said.of(upgrade.finalized(Optional.of(TWO))))
                .isEqualTo(
                        "refused: level 2 cannot be read by all: manager m2 does not answer: start"
                                + " it, or take it out of the cluster; server s1 runs a"
                                + " release, which reads level 1; front end f1 runs release"
                                + " 0.3, which reads level 3");
        assertThat(upgrade.readable()).isEqualTo(ONE);
    }

    /** Who is silent may be of any release. */
    @Test
    void clusterBeginsAtFirstLevel_whileSomebodyDoesNotAnswer() {
        Upgrade upgrade = of(reads(Role.MANAGER, "m1", ONE, TWO), silent(Role.MANAGER, "m2"));
        assertThat(upgrade.readable()).as("of those who have answered").isEqualTo(TWO);
        assertThat(upgrade.atFirst()).isEqualTo(ONE);
    }

    @Test
    void finalizeChangesNothing_whenLevelIsReachedOrUnknown() {
        Upgrade done = new Upgrade(TWO, TWO, List.of(silent(Role.SERVER, "s1")));
        assertThat(done.finalized(Optional.empty()))
                .isEqualTo(Verdict.Do.nothing(ReasonCode.LEVEL_IS_SO.of(TWO)));
        assertThat(done.finalized(Optional.of(ONE)))
                .as("it never falls")
                .isEqualTo(Verdict.Do.nothing(ReasonCode.LEVEL_IS_SO.of(TWO)));
        assertThat(Said.of(done.finalized(Optional.of(THREE))))
                .isEqualTo("invalid: level 3 (expected: at most 2, which this release knows)");
    }

    @Test
    void featuresAreToCome_untilTheLevelHasThem() {
        assertThat(of().broughtBy(FIVE)).containsExactly(Feature.values());
        assertThat(of().broughtBy(TWO))
                .contains(Feature.SLICED_ENTRIES)
                .doesNotContain(Feature.WHITENED_ENTRIES);
        assertThat(of().broughtBy(ONE)).isEmpty();
        Upgrade second = new Upgrade(TWO, THREE, List.of());
        assertThat(second.broughtBy(TWO)).isEmpty();
        assertThat(second.broughtBy(THREE))
                .containsExactly(Feature.WHITENED_ENTRIES, Feature.CLOCK_RESET);
        assertThat(new Upgrade(THREE, FOUR, List.of()).broughtBy(FOUR))
                .containsExactly(Feature.JOURNAL_REASONS);
        assertThat(new Upgrade(FOUR, FIVE, List.of()).broughtBy(FIVE))
                .containsExactly(
                        Feature.RETURNED_NODES,
                        Feature.RESTORED_ROWS,
                        Feature.CHANGE_RECORDS,
                        Feature.ENCRYPTED_ACCOUNT_KEYS);
    }
}
