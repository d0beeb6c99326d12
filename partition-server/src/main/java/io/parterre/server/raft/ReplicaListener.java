package io.parterre.server.raft;

/** Hears of changes of a node's replicas, on Raft's threads: nothing here may block. */
@FunctionalInterface
public interface ReplicaListener {
    /** Some replica has gained or lost the lead, or the range of one that leads is another one. */
    void changed();

    /**
     * Some replica that follows has another leader, or another range: whoever leads tells as much.
     */
    default void followed() {
        changed();
    }
}
