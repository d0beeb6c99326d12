package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Starts the children of a split: the parent's leader stands for the first election of each child,
 * then transfers the child's leadership as ordered. A child led by another node is left alone. A
 * child that takes too long is left to the election timeout and to the manager's leadership
 * transfer.
 *
 * @param self this node
 * @param leaders target leader of each child for which the split's order names one
 */
public record ChildDriver(NodeId self, List<RangeId> children, Map<RangeId, NodeId> leaders)
        implements ChangeDriver<ChildDriver.State> {
    private static final Duration ELECTION_WAIT_MAX = Duration.ofSeconds(5);
    private static final Duration ELECTION_POLL = Duration.ofMillis(5);
    private static final Duration TRANSFER_WAIT_MAX = Duration.ofSeconds(1);
    private static final Duration TRANSFER_POLL = Duration.ofMillis(20);

    public ChildDriver {
        children = List.copyOf(children);
        leaders = Map.copyOf(leaders);
    }

    /**
     * Progress of the driver.
     *
     * @param beganNanos ticker time of the first step; empty before it
     * @param waiting children without a known leader, or led by this node but not ready
     * @param transfers pending transfers of children that this node leads and another is to lead
     */
    public record State(
            Optional<Long> beganNanos, List<RangeId> waiting, Map<RangeId, Transfer> transfers) {
        public State {
            waiting = List.copyOf(waiting);
            transfers = Map.copyOf(transfers);
        }
    }

    /**
     * Leadership of a child that goes to another member as soon as that member is level.
     *
     * @param sinceNanos time from which this node leads the child
     * @param dueNanos time of the next attempt
     */
    public record Transfer(long sinceNanos, long dueNanos) {}

    @Override
    public State initial() {
        return new State(Optional.empty(), children, Map.of());
    }

    @Override
    public Step<State> on(
            State state, ChangeEvent event, Map<RangeId, RangeView> ranges, long nowNanos) {
        long beganNanos = state.beganNanos().orElse(nowNanos);
        List<ChangeEffect> effects = new ArrayList<>();
        List<RangeId> waiting = new ArrayList<>();
        Map<RangeId, Transfer> transfers = new TreeMap<>(state.transfers());
        if (nowNanos - beganNanos < ELECTION_WAIT_MAX.toNanos()) {
            for (RangeId childId : state.waiting()) {
                RangeView child = ranges.get(childId);
                if (child.leading()) {
                    effects.add(new ChangeEffect.Led(childId, nowNanos - beganNanos));
                    transfers.put(childId, new Transfer(nowNanos, nowNanos));
                } else if (child.leader().isEmpty()) {
                    // The other members may not have started the group yet; then nobody answers.
                    effects.add(new ChangeEffect.StandForElection(childId));
                    waiting.add(childId);
                } else if (child.leader().get().equals(self)) {
                    waiting.add(childId);
                }
            }
        }
        transfers
                .entrySet()
                .removeIf(each -> !isToTransfer(each.getKey(), each.getValue(), ranges, nowNanos));
        transfers.replaceAll(
                (childId, transfer) -> transferred(childId, transfer, nowNanos, effects));
        State next = new State(Optional.of(beganNanos), waiting, transfers);
        if (waiting.isEmpty() && transfers.isEmpty()) {
            effects.add(new ChangeEffect.End(true));
            return Step.of(next, effects.toArray(ChangeEffect[]::new));
        }
        Duration poll = waiting.isEmpty() ? TRANSFER_POLL : ELECTION_POLL;
        return Step.until(nowNanos + poll.toNanos(), next, effects.toArray(ChangeEffect[]::new));
    }

    private boolean isToTransfer(
            RangeId childId, Transfer transfer, Map<RangeId, RangeView> ranges, long nowNanos) {
        return ranges.get(childId).leading()
                && leaders.containsKey(childId)
                && !leaders.get(childId).equals(self)
                && nowNanos - transfer.sinceNanos() < TRANSFER_WAIT_MAX.toNanos();
    }

    private Transfer transferred(
            RangeId childId, Transfer transfer, long nowNanos, List<ChangeEffect> effects) {
        if (nowNanos - transfer.dueNanos() < 0) {
            return transfer;
        }
        effects.add(new ChangeEffect.BeginTransfer(childId, leaders.get(childId)));
        return new Transfer(transfer.sinceNanos(), nowNanos + TRANSFER_POLL.toNanos());
    }
}
