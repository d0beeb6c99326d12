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
 * What the replicas of this node refuse because of its disk or its clock. Safe for any thread;
 * never blocks.
 */
public final class ReplicaAdmission {
    private final Map<RangeId, Replica> replicas;
    private final EntryRoom entryRoom = new EntryRoom();

    /** Why writes are refused in all ranges, also in those that are founded later. */
    private final Set<BusyReason> refusedEverywhere = ConcurrentHashMap.newKeySet();

    private volatile boolean growthRefused;

    ReplicaAdmission(ReplicaRegistry registry) {
        this.replicas = registry.live();
    }

    /** What followers are still to take of entries. */
    EntryRoom entryRoom() {
        return entryRoom;
    }

    /** Whether a copy is taken in now. */
    boolean takesCopies() {
        return !growthRefused;
    }

    /**
     * Answers writes to these ranges from now on as a busy node does, and to others no more so for
     * this reason.
     */
    public void refuseWrites(BusyReason why, Predicate<RangeId> refused) {
        replicas.forEach(
                (rangeId, replica) -> replica.refusals().refuse(why, refused.test(rangeId)));
    }

    /** The same for all ranges, also for those that are founded later. */
    public void refuseWrites(BusyReason why, boolean refused) {
        if (refused) {
            refusedEverywhere.add(why);
        } else {
            refusedEverywhere.remove(why);
        }
        refuseWrites(why, rangeId -> refused);
    }

    /** Refuses in a new replica what is refused in all; to be called before it can lead. */
    void applyTo(Replica replica) {
        refusedEverywhere.forEach(why -> replica.refusals().refuse(why, true));
    }

    /**
     * Answers what makes any range hold more as a node without room does, or no more. Until then no
     * copy is taken in, and no log begun again that found no room.
     */
    public void refuseGrowth(boolean refused) {
        growthRefused = refused;
        replicas.values().forEach(replica -> replica.refusals().refuseGrowth(refused));
    }

    /** Takes no more than so many bytes of entries from leaders, until told again. */
    public void limitEntries(long bytesMax) {
        entryRoom.seen(bytesMax);
    }

    /** Whether entries were refused by {@link #limitEntries} that would not find room yet. */
    public boolean refusesEntries() {
        return entryRoom.isRefusing();
    }
}
