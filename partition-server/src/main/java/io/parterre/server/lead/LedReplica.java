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
 * A replica, as changes of its range use it while this node leads. Safe for any thread; nothing
 * here blocks.
 */
public interface LedReplica {
    RangeDescriptor descriptor();

    /** The range with the addresses of its members, as far as applied. */
    HostedRange range();

    /** Whether it leads its range and has applied everything acknowledged before it did. */
    boolean isLeading();

    /** Node that leads, as far as this replica knows. */
    Optional<String> leaderHint();

    /** Whether its range takes and serves nothing, for its left neighbour may absorb it. */
    boolean isFrozen();

    /** Index of the last log entry applied; -1: none. */
    long appliedIndex();

    /** Last entry that is applied, and on this node's disk as an entry; -1: not known. */
    long syncedIndex();

    /** The other members, as a leader sees them; none if it does not lead. */
    List<FollowerState> followers();

    /** The range's clock, as far as applied. */
    RangeTime time();

    /** Scopes that are fenced, as far as applied. */
    Set<Key> fences();

    /** Proposes a command; how it ends is told exactly once. */
    void propose(Proposal proposal);

    /** The replica at this moment. */
    default RangeView view() {
        // In this order: what the descriptor says is applied by the index.
        return new RangeView(
                range(),
                isLeading(),
                leaderHint().map(NodeId::new),
                appliedIndex(),
                syncedIndex(),
                followers());
    }
}
