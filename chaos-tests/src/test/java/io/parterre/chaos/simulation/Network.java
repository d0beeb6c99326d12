package io.parterre.chaos.simulation;

import io.parterre.manager.plan.progress.Order;
import io.parterre.range.NodeId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What lies between nodes, managers and clients: it delays, loses and repeats. */
final class Network {
    private final Simulation simulation;

    /** Nodes that no other one reaches, and whether managers do not, either. */
    private final Map<NodeId, Boolean> cutOff = new TreeMap<>();

    Network(Simulation simulation) {
        this.simulation = simulation;
    }

    void cutOff(NodeId node, boolean fromManagers) {
        cutOff.put(node, fromManagers);
    }

    void restore(NodeId node) {
        cutOff.remove(node);
    }

    void restoreAll() {
        cutOff.clear();
    }

    boolean reaches(NodeId from, NodeId to) {
        return from.equals(to)
                || simulation.server(from).up
                        && simulation.server(to).up
                        && !cutOff.containsKey(from)
                        && !cutOff.containsKey(to);
    }

    private boolean reachesManagers(SimulatedServer server) {
        return server.up && !cutOff.getOrDefault(server.nodeId, false);
    }

    void sendRaft(NodeId from, NodeId to, Runnable arrives) {
        if (reaches(from, to) && !simulation.conditions.loses()) {
            simulation.timeline.in(
                    simulation.conditions.delayMillis(),
                    () -> {
                        if (reaches(from, to)) {
                            arrives.run();
                        }
                    });
        }
    }

    void sendCall(NodeId from, NodeId to, Runnable arrives) {
        sendRaft(from, to, arrives);
    }

    void sendReport(SimulatedServer from, SimulatedManager to, Runnable arrives) {
        if (!reachesManagers(from) || simulation.conditions.loses()) {
            return;
        }
        simulation.timeline.in(simulation.conditions.delayMillis(), () -> arriving(to, arrives));
        if (simulation.conditions.repeats()) {
            simulation.timeline.in(
                    simulation.conditions.repeatMillis(), () -> arriving(to, arrives));
        }
    }

    private static void arriving(SimulatedManager to, Runnable arrives) {
        if (to.up) {
            arrives.run();
        }
    }

    void sendAnswer(SimulatedServer to, SimulatedManager from, Runnable arrives) {
        long started = to.start;
        if (from.up && !simulation.conditions.loses()) {
            simulation.timeline.in(
                    simulation.conditions.delayMillis(),
                    () -> {
                        if (reachesManagers(to) && to.start == started) {
                            arrives.run();
                        }
                    });
        }
    }

    /** Some of the orders come once more, a good while later. */
    void repeatOrders(SimulatedServer to, List<Order> orders) {
        for (Order order : orders) {
            if (simulation.conditions.repeats()) {
                to.later(simulation.conditions.repeatMillis(), () -> to.orders.takeAgain(order));
            }
        }
    }

    /** A request of a client's, which may arrive once more later. */
    void sendRequest(SimulatedServer to, Runnable arrives) {
        if (simulation.conditions.loses()) {
            return;
        }
        request(to, simulation.conditions.delayMillis(), arrives);
        if (simulation.conditions.repeats()) {
            request(to, simulation.conditions.repeatMillis(), arrives);
        }
    }

    private void request(SimulatedServer to, long millis, Runnable arrives) {
        simulation.timeline.in(
                millis,
                () -> {
                    if (to.up) {
                        arrives.run();
                    }
                });
    }

    void sendResponse(Runnable arrives) {
        if (!simulation.conditions.loses()) {
            simulation.timeline.in(simulation.conditions.delayMillis(), arrives);
        }
    }
}
