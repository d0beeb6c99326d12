package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Merges and splits keep every write in a {@link MergeWorld}, whose nodes crash. */
final class MergeSimTest {
    @Property(tries = 300)
    void everyWriteTakesEffectOnce_whileRangesMergeAndNodesCrash(@ForAll long seed) {
        MergeWorld world = new MergeWorld(seed);
        for (int i = 0; i < 300; i++) {
            world.step();
        }
        world.settle();
        assertThat(world.rows()).isEqualTo(world.acknowledged);
    }

    @Property(tries = 200)
    void deletedTableKeepsNoRows_whileItsRangesSplitAndMerge(@ForAll long seed) {
        MergeWorld world = new MergeWorld(seed);
        for (int i = 0; i < 150; i++) {
            world.step();
        }
        for (int i = 0; world.fencedTo.compareTo(MergeWorld.SCOPE.afterPrefix()) < 0; i++) {
            world.fence();
            world.step();
            if (i % 200 == 199) {
                // Who merges has died in the middle, say.
                world.settle();
            }
        }
        for (int i = 0; i < 100; i++) {
            world.step();
        }
        world.settle();
        assertThat(world.rows()).isEmpty();
    }

    /** Else the others would show nothing. */
    @Property(tries = 1)
    void simulationCompletesAndAbortsMerges() {
        int done = 0;
        int givenUp = 0;
        int sliced = 0;
        for (long seed = 1; seed <= 20; seed++) {
            MergeWorld world = new MergeWorld(seed);
            for (int i = 0; i < 300; i++) {
                world.step();
            }
            done += world.mergesDone;
            givenUp += world.mergesGivenUp;
            sliced += world.sliced;
        }
        assertThat(done).isGreaterThan(10);
        assertThat(givenUp).isGreaterThan(5);
        assertThat(sliced).isGreaterThan(100);
    }
}
