package io.parterre.simulator;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChangeEffect;
import io.parterre.server.change.ChangeEvent;
import io.parterre.server.change.RangeView;
import io.parterre.server.command.ReplicaCommand;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A simulated node from the view of one change of ranges, and the effects that the change has on
 * the node. Results may arrive at once or later. Not thread-safe.
 */
public interface ChangeNode {
    /** Returns whether the process that began the change still runs. */
    boolean runs();

    long nowMillis();

    /** Returns the ranges of the change. */
    Map<RangeId, RangeView> views();

    void later(long millis, Runnable happens);

    /** Runs the effects of a step. The thread may pause before them. */
    void perform(Runnable effects);

    void propose(RangeId rangeId, ReplicaCommand command, Consumer<ChangeEvent> end);

    void repeat(RangeId rangeId, ReplicaCommand command);

    void ask(ChangeEffect.AskMember question, Consumer<ChangeEvent> answer);

    void configure(ChangeEffect.Configure wanted, Consumer<ChangeEvent> end);

    void transfer(RangeId rangeId, NodeId target, Consumer<ChangeEvent> end);

    void standForElection(RangeId rangeId);

    void beginTransfer(RangeId rangeId, NodeId target);

    /** This node has been elected leader of a child of a split. */
    void led(RangeId childId);

    void tell(String line);
}
