package io.parterre.server;

import java.time.Duration;

/**
 * Action on a disk that hangs or is full. Pure: {@link DiskWatch} measures and acts.
 *
 * <p>The end of a process helps only where other nodes have better disks. If the disks of a
 * majority hang, as with one storage behind all nodes, all processes would end at once and restart
 * on the same disks. A node that is not known to be dispensable therefore refuses writes and waits
 * longer, each node for a different time.
 */
enum DiskAction {
    NOTHING,
    /**
     * Other members lead the ranges that go on without this node, because they have on disk what
     * this node lacks. Writes to the other ranges are refused as by a busy node, before they reach
     * a log.
     */
    RELIEVE,
    END;

    /**
     * Returns the action for the current state.
     *
     * @param full whether logs or rows wait for room, which comes without an end of the node
     * @param dispensable whether every range of the node goes on without it
     * @param backOff time after which a node that is not dispensable ends
     */
    static DiskAction of(
            DiskState disk,
            boolean full,
            boolean dispensable,
            DiskConfig config,
            Duration backOff,
            long nowNanos) {
        if (!disk.stalled()) {
            return full ? RELIEVE : NOTHING;
        }
        Duration hung = Duration.ofNanos(nowNanos - disk.sinceNanos());
        Duration patience = dispensable ? config.endAfter() : backOff;
        if (hung.compareTo(patience) >= 0) {
            return END;
        }
        return RELIEVE;
    }
}
