package io.parterre.simulator;

import io.parterre.manager.map.MoveReason;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.Map;

/** What was begun so far, and how much of it undid what had been done a little before. */
final class Changes {
    /** A change that takes back one that is no older is one to and fro. */
    private static final long FRO_SECONDS = 1_800;

    private record Placed(RangeId rangeId, NodeId node) {}

    private final Map<Placed, Long> left = new HashMap<>();
    private final Map<RangeId, Long> split = new HashMap<>();
    private final Map<RangeId, Long> merged = new HashMap<>();
    int moves;
    int splits;
    int merges;
    int toAndFro;

    /** Something came from outside, for which what was right before may be wrong. */
    void externalChange() {
        left.clear();
        split.clear();
        merged.clear();
    }

    /** A decision that is begun. */
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
