package io.parterre.simulator;

import java.util.List;
import java.util.Locale;

/**
 * An event from outside the cluster. Immutable.
 *
 * @param at in seconds from the beginning
 * @param count nodes to add, or percent to lose
 * @param zone number of the zone, from 0
 * @param node number of the node, from 1
 * @param loads the whole load of clients from then on
 */
public record ScenarioEvent(
        int at, What what, int count, int zone, int node, List<LoadShape> loads) {
    /** Kinds of events. */
    public enum What {
        /** The load of clients changes. */
        ASK,
        /** New, empty nodes are added. */
        ADD_NODES,
        CRASH_NODE,
        /** A node, up or not, loses its folder and begins empty. */
        WIPE_NODE,
        RESTART_NODE,
        CRASH_ZONE,
        RESTART_ZONE,
        /** Operators drain the node. */
        DRAIN_NODE,
        /** Another manager leads from now on. */
        CHANGE_MANAGER,
        /** The given percentage of reports and answers is lost from now on. */
        LOSE
    }

    public ScenarioEvent {
        if (what == null) {
            throw new IllegalArgumentException("what: missing (expected: one of the events)");
        }
        loads = loads == null ? List.of() : List.copyOf(loads);
    }

    /** Returns the event as text. */
    String words() {
        String name = what.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return switch (what) {
            case ASK ->
                    String.format(
                            Locale.ROOT,
                            "%s %.0f operations/s",
                            name,
                            loads.stream().mapToDouble(LoadShape::operationsPerSecond).sum());
            case ADD_NODES, LOSE -> name + " " + count;
            case CRASH_NODE, WIPE_NODE, RESTART_NODE, DRAIN_NODE -> name + " " + node;
            case CRASH_ZONE, RESTART_ZONE -> name + " " + zone;
            case CHANGE_MANAGER -> name;
        };
    }
}
