package io.parterre.server.node;

import io.parterre.error.BusyReason;
import io.parterre.raftlink.EntryRoom;
import io.parterre.range.RangeId;
import io.parterre.server.raft.Replica;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Refusals by the replicas of this node because of its disk or its clock. Safe for any thread;
 * never blocks.
 */
public final class ReplicaAdmission {
    private final Map<RangeId, Replica> replicas;
    private final EntryRoom entryRoom = new EntryRoom();

    /** Reasons for which writes are refused in all ranges, also in those created later. */
    private final Set<BusyReason> refusedEverywhere = ConcurrentHashMap.newKeySet();

    private volatile boolean growthRefused;

    ReplicaAdmission(ReplicaRegistry registry) {
        this.replicas = registry.live();
    }

    /** Limits the entries that followers still take. */
    EntryRoom entryRoom() {
        return entryRoom;
    }

    /** Whether copies are installed now. */
    boolean takesCopies() {
        return !growthRefused;
    }

    /**
     * Refuses writes to these ranges as busy from now on, and no longer refuses writes to others
     * for this reason.
     */
    public void refuseWrites(BusyReason why, Predicate<RangeId> refused) {
        replicas.forEach(
                (rangeId, replica) -> replica.refusals().refuse(why, refused.test(rangeId)));
    }

    /**
     * Refuses writes to all ranges, also to those created later; or no longer refuses them for this
     * reason.
     */
    public void refuseWrites(BusyReason why, boolean refused) {
        if (refused) {
            refusedEverywhere.add(why);
        } else {
            refusedEverywhere.remove(why);
        }
        refuseWrites(why, rangeId -> refused);
    }

    /** Refuses in a new replica what is refused in all; called before the replica can lead. */
    void applyTo(Replica replica) {
        refusedEverywhere.forEach(why -> replica.refusals().refuse(why, true));
    }

    /**
     * Refuses whatever makes a range hold more, as a node without room does, or no longer refuses
     * it. No copy is installed meanwhile.
     */
    public void refuseGrowth(boolean refused) {
        growthRefused = refused;
        replicas.values().forEach(replica -> replica.refusals().refuseGrowth(refused));
    }

    /** Limits the bytes of entries that are taken from leaders, until the next call. */
    public void limitEntries(long bytesMax) {
        entryRoom.seen(bytesMax);
    }

    /** Whether entries were refused by {@link #limitEntries} that would still find no room. */
    public boolean refusesEntries() {
        return entryRoom.isRefusing();
    }
}
