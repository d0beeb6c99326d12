package io.parterre.simulator;

import io.parterre.manager.map.MoveReason;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.Map;

/** Counts the changes that were begun, and those that undid an earlier one. */
final class Changes {
    /** A change counts as back and forth if it undoes one that is at most this old. */
    private static final long FRO_SECONDS = 1_800;

    private record Placed(RangeId rangeId, NodeId node) {}

    private final Map<Placed, Long> left = new HashMap<>();
    private final Map<RangeId, Long> split = new HashMap<>();
    private final Map<RangeId, Long> merged = new HashMap<>();
    int moves;
    int splits;
    int merges;
    int toAndFro;

    /** An event came from outside, so earlier changes may now be wrong and are forgotten. */
    void externalChange() {
        left.clear();
        split.clear();
        merged.clear();
    }

    /** Counts a decision that is begun. */
    void note(Decision decision, long second) {
        decision.match(new Noted(second));
    }

    private final class Noted implements Decision.Cases<Void> {
        private final long second;

        private Noted(long second) {
            this.second = second;
        }

        @Override
        public Void change(Decision.ChangeMembers change) {
            moves++;
            if (change.reason() == MoveReason.BALANCE || change.reason() == MoveReason.ZONES) {
                RangeId rangeId = change.rangeId();
                change.add().ifPresent(node -> undoes(left, new Placed(rangeId, node), second));
                change.remove().ifPresent(node -> left.put(new Placed(rangeId, node), second));
            }
            return null;
        }

        @Override
        public Void transfer(Decision.TransferLead transfer) {
            return null;
        }

        @Override
        public Void split(Decision.Split decision) {
            splits++;
            undoes(merged, decision.rangeId(), second);
            split.put(decision.rangeId(), second);
            return null;
        }

        @Override
        public Void merge(Decision.Merge decision) {
            merges++;
            undoes(split, decision.leftId(), second);
            merged.put(decision.leftId(), second);
            return null;
        }

        @Override
        public Void leave(Decision.Leave leave) {
            return null;
        }
    }

    private <T> void undoes(Map<T, Long> done, T what, long second) {
        if (done.containsKey(what) && second - done.get(what) <= FRO_SECONDS) {
            toAndFro++;
        }
    }
}
