package io.parterre.manager.plan.decide;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.plan.view.Census;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.OddRanges;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One round of the leading manager. Operations that are over are ended first, and then another
 * round is due at once. Otherwise the planner decides what is begun. The caller proposes the
 * round's commands, and once their outcomes are known runs the next round with the memory of this
 * one. Immutable.
 */
public sealed interface Round {
    /** Returns what the next round has to know of this one. */
    Memory memory();

    /**
     * Returns whether the next round is due as soon as the outcomes of this one's commands are
     * known.
     */
    boolean again();

    <R> R match(Function<End, R> end, Function<Begin, R> begin);

    /** What the rounds of one leader remember. The next leader begins with {@link #NONE}. */
    record Memory(LeadershipAsked asked, UnsplittableRanges unsplittable) {
        public static final Memory NONE = new Memory(LeadershipAsked.NONE, UnsplittableRanges.NONE);

        /** Returns this memory with a split that has taken effect. */
        public Memory with(Split split, Instant now) {
            return new Memory(asked.with(split, now), unsplittable);
        }
    }

    /** A round that ends operations. */
    record End(List<Upkeep.Chore> chores, Memory memory) implements Round {
        public End {
            chores = List.copyOf(chores);
        }

        @Override
        public boolean again() {
            return true;
        }

        @Override
        public <R> R match(Function<End, R> end, Function<Begin, R> begin) {
            return end.apply(this);
        }
    }

    /** A round that plans and begins operations. */
    record Begin(Census census, Plan plan, List<Begun> begun, Memory memory) implements Round {
        public Begin {
            begun = List.copyOf(begun);
        }

        @Override
        public boolean again() {
            return false;
        }

        @Override
        public <R> R match(Function<End, R> end, Function<Begin, R> begin) {
            return begin.apply(this);
        }
    }

    /** A decision and the command that records it in the map. */
    record Begun(Decision decision, MapCommand command) {}

    /**
     * Runs a round on this view with its policy.
     *
     * @param oddRanges the same object in each round of a leader; saves time and changes no
     *     decision
     */
    static Round of(ClusterView view, Memory before, OddRanges oddRanges) {
        List<Upkeep.Chore> chores = Upkeep.due(view);
        if (!chores.isEmpty()) {
            UnsplittableRanges unsplittable = before.unsplittable();
            for (Upkeep.Chore chore : chores) {
                if (chore.command() instanceof MapCommand.EndSplit end) {
                    unsplittable = unsplittable.with(end.split(), view.now());
                }
            }
            return new End(chores, new Memory(before.asked(), unsplittable));
        }
        Census census = Census.of(view, view.policy().replicas(), oddRanges);
        Plan plan =
                Planner.plan(view, view.policy(), census, before.asked(), before.unsplittable());
        Instant now = view.now();
        List<Begun> begun = new ArrayList<>();
        plan.changes().forEach(change -> begun.add(new Begun(change, begin(change, now))));
        plan.splits().forEach(split -> begun.add(new Begun(split, begin(split, now))));
        plan.merges().forEach(merge -> begun.add(new Begun(merge, begin(merge, now))));
        return new Begin(
                census,
                plan,
                begun,
                new Memory(before.asked().after(plan, view), before.unsplittable()));
    }

    private static MapCommand begin(Decision.ChangeMembers change, Instant now) {
        return new MapCommand.BeginMove(
                new Move(
                        change.rangeId(),
                        change.add(),
                        change.remove(),
                        change.reason(),
                        change.decidedAt(),
                        now));
    }

    private static MapCommand begin(Decision.Split split, Instant now) {
        return new MapCommand.BeginSplit(
                split.rangeId(),
                split.decidedAt(),
                split.splitPoint(),
                split.childLeader(),
                split.reason(),
                now,
                split.parts());
    }

    private static MapCommand begin(Decision.Merge merge, Instant now) {
        return new MapCommand.BeginMerge(
                new Merge(
                        merge.leftId(),
                        merge.rightId(),
                        merge.leftDecidedAt(),
                        merge.rightDecidedAt(),
                        merge.reason(),
                        now));
    }
}
