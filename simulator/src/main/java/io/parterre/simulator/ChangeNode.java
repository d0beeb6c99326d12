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
 * A simulated node as one change of ranges finds it, and what it does about the change. What comes
 * of something may be told at once or later. For one thread.
 */
public interface ChangeNode {
    /** Whether the process that has begun the change still runs. */
    boolean runs();

    long nowMillis();

    /** The ranges of the change. */
    Map<RangeId, RangeView> views();

    void later(long millis, Runnable happens);

    /** Does what was decided; the thread may pause before that. */
    void perform(Runnable effects);

    void propose(RangeId rangeId, ReplicaCommand command, Consumer<ChangeEvent> end);

    void repeat(RangeId rangeId, ReplicaCommand command);

    void ask(ChangeEffect.AskMember question, Consumer<ChangeEvent> answer);

    void configure(ChangeEffect.Configure wanted, Consumer<ChangeEvent> end);

    void transfer(RangeId rangeId, NodeId target, Consumer<ChangeEvent> end);

    void standForElection(RangeId rangeId);

    void beginTransfer(RangeId rangeId, NodeId target);

    /** A child of a split is led here. */
    void led(RangeId childId);

    void tell(String line);
}
