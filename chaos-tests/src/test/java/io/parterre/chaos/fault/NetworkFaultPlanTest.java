package io.parterre.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.fault.NetworkFault.Kind;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NetworkFaultPlanTest {
    @Test
    void networkFaultPlanIsDeterministic_forSeed() {
        assertThat(faults(7, 100)).isEqualTo(faults(7, 100)).isNotEqualTo(faults(8, 100));
    }

    @Test
    void networkFaultPlanUsesEachKindOnce_beforeRepeating() {
        List<NetworkFault> faults = faults(1, 3 * Kind.values().length);
        for (int i = 0; i < faults.size(); i += Kind.values().length) {
            assertThat(faults.subList(i, i + Kind.values().length))
                    .extracting(NetworkFault::kind)
                    .containsExactlyInAnyOrder(Kind.values());
        }
    }

    private static List<NetworkFault> faults(long seed, int count) {
        NetworkFaultPlan plan = new NetworkFaultPlan(new SplittableRandom(seed));
        return Stream.generate(plan::next).limit(count).toList();
    }
}
