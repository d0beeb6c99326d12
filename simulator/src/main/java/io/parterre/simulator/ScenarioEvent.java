package io.parterre.simulator;

import java.util.List;
import java.util.Locale;

/**
 * Something that happens to the cluster from outside.
 *
 * @param at in seconds from the beginning
 * @param count nodes that come, or percent that are lost
 * @param zone number of the zone, from 0
 * @param node number of the node, from 1
 * @param loads all that clients ask from then on
 */
public record ScenarioEvent(
        int at, What what, int count, int zone, int node, List<LoadShape> loads) {
    /** Kinds of events. */
    public enum What {
        /** Clients ask something else. */
        ASK,
        /** New nodes come, empty. */
        ADD_NODES,
        CRASH_NODE,
        /** Also of one whose folder is lost: it begins empty. */
        WIPE_NODE,
        RESTART_NODE,
        CRASH_ZONE,
        RESTART_ZONE,
        /** Operators want the node empty. */
        DRAIN_NODE,
        /** Another manager leads from now on. */
        CHANGE_MANAGER,
        /** So many of a hundred reports and answers are lost from now on. */
        LOSE
    }

    public ScenarioEvent {
        if (what == null) {
            throw new IllegalArgumentException("what: missing (expected: one of the events)");
        }
        loads = loads == null ? List.of() : List.copyOf(loads);
    }

    /** In words. */
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
