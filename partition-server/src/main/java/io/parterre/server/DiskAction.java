package io.parterre.server;

import java.time.Duration;

/**
 * What a node does about its disk. Pure: {@link DiskWatch} looks and does it.
 *
 * <p>To end helps those only who have somebody better: where the disks of a majority hang, as with
 * one storage behind all nodes, all would end at once, and come back to the same disks. So a node
 * that is not known to be dispensable takes nothing in, waits for longer, and each for another
 * time.
 */
enum DiskAction {
    NOTHING,
    /**
     * Of ranges that go on without this node, others lead: they have on disk what it has not. To
     * the rest writes are refused as of a busy node, before anything of them is in a log.
     */
    RELIEVE,
    END;

    /**
     * The action for what is known now.
     *
     * @param full whether logs or rows wait for room, which comes without an end of the node
     * @param dispensable whether every range of the node goes on without it
     * @param backOff time that a node which is not has to come back
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
