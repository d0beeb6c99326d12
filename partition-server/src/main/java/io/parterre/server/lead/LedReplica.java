package io.parterre.server.lead;

import io.parterre.key.Key;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.RangeTime;
import io.parterre.server.change.FollowerState;
import io.parterre.server.change.RangeView;
import io.parterre.server.propose.Proposal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A replica as seen by changes of its range while this node leads it. Safe for any thread; nothing
 * here blocks.
 */
public interface LedReplica {
    RangeDescriptor descriptor();

    /** The range with the addresses of its members, as of the applied index. */
    HostedRange range();

    /**
     * Whether the replica leads its range and has applied everything acknowledged before it did.
     */
    boolean isLeading();

    /** Node that leads, as far as this replica knows; empty if unknown. */
    Optional<String> leaderHint();

    /**
     * Whether the range is frozen: it takes and serves nothing, because its left neighbour may
     * absorb it.
     */
    boolean isFrozen();

    /** Index of the last applied log entry; -1 if none. */
    long appliedIndex();

    /** Last entry that is applied and in the log on this node's disk; -1 if unknown. */
    long syncedIndex();

    /** The other members, as their leader sees them; empty if this replica does not lead. */
    List<FollowerState> followers();

    /** The range's clock as of the applied index. */
    RangeTime time();

    /** Fenced scopes as of the applied index. */
    Set<Key> fences();

    /** Proposes a command; its result is reported exactly once. */
    void propose(Proposal proposal);

    /** Returns a view of the replica at this moment. */
    default RangeView view() {
        // The descriptor is read before the index, so that the index covers everything in the
        // descriptor.
        return new RangeView(
                range(),
                isLeading(),
                leaderHint().map(NodeId::new),
                appliedIndex(),
                syncedIndex(),
                followers());
    }
}
