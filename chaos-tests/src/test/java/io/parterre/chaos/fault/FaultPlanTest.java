package io.parterre.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.fault.Fault.Kind;
import io.parterre.chaos.fault.Fault.Target;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
    @Test
    void faultPlanIsDeterministic_forSeed() {
        assertThat(faults(7, 100)).isEqualTo(faults(7, 100)).isNotEqualTo(faults(8, 100));
    }

    @Test
    void faultPlanKillsEachTargetOnceFirst() {
        List<Fault> first = faults(1, Target.values().length);
        assertThat(first).allMatch(fault -> fault.kind() == Kind.KILL);
        assertThat(first).extracting(Fault::target).containsExactlyInAnyOrder(Target.values());
    }

    @Test
    void faultPlanHitsEveryTargetWithEachKindAndLeaderOften() {
        List<Fault> faults = faults(2, 500);
        for (Kind kind : Kind.values()) {
            Set<Target> met =
                    faults.stream()
                            .filter(fault -> fault.kind() == kind)
                            .map(Fault::target)
                            .collect(Collectors.toSet());
            assertThat(met).isEqualTo(EnumSet.allOf(Target.class));
        }
        assertThat(faults.stream().filter(fault -> fault.target() == Target.LEADING_SERVER).count())
                .isBetween(150L, 250L);
    }

    private static List<Fault> faults(long seed, int count) {
        FaultPlan plan = new FaultPlan(new SplittableRandom(seed));
        return Stream.generate(plan::next).limit(count).toList();
    }
}
