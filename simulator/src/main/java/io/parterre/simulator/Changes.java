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
        if (decision instanceof Decision.ChangeMembers change) {
            move(change, second);
        } else if (decision instanceof Decision.Split cut) {
            split(cut, second);
        } else if (decision instanceof Decision.Merge merge) {
            merge(merge, second);
        }
    }

    private void move(Decision.ChangeMembers change, long second) {
        moves++;
        if (change.reason() != MoveReason.BALANCE && change.reason() != MoveReason.ZONES) {
            return;
        }
        change.add().ifPresent(node -> note(left, new Placed(change.rangeId(), node), second));
        change.remove().ifPresent(node -> left.put(new Placed(change.rangeId(), node), second));
    }

    private void split(Decision.Split decision, long second) {
        splits++;
        note(merged, decision.rangeId(), second);
        split.put(decision.rangeId(), second);
    }

    private void merge(Decision.Merge decision, long second) {
        merges++;
        note(split, decision.leftId(), second);
        merged.put(decision.leftId(), second);
    }

    private <T> void note(Map<T, Long> done, T what, long second) {
        if (done.containsKey(what) && second - done.get(what) <= FRO_SECONDS) {
            toAndFro++;
        }
    }
}
