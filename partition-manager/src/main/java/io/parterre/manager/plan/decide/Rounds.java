package io.parterre.manager.plan.decide;

import io.parterre.manager.map.Split;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.OddRanges;
import java.time.Instant;

/**
 * The rounds of one leader, each with the memory of the previous ones. The caller proposes their
 * commands, see {@link Round}. Not thread-safe.
 */
public final class Rounds {
    private final OddRanges oddRanges = new OddRanges();
    private Round.Memory memory = Round.Memory.NONE;
    private Plan plan = Plan.NONE;

    /**
     * Runs the next round. To be called only once the outcomes of the last round's commands are
     * known.
     */
    public Round next(ClusterView view) {
        Round round = Round.of(view, memory, oddRanges);
        memory = round.memory();
        plan = round.match(end -> plan, Round.Begin::plan);
        return round;
    }

    /** Returns the latest plan. */
    public Plan plan() {
        return plan;
    }

    /** The split has taken effect. */
    public void splitTookEffect(Split split, Instant now) {
        memory = memory.with(split, now);
    }

    /** Forgets the memory and the latest plan, because another leader begins. */
    public void clear() {
        memory = Round.Memory.NONE;
        plan = Plan.NONE;
    }
}
