package io.parterre.frontend.route;

import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which member is asked for a read that may be stale: one that was not asked yet, rather one that
 * is not known to be silent, rather a follower than the leader, which has enough to do. Stateless;
 * safe for any thread.
 */
public final class MemberChoice {
    private MemberChoice() {}

    /**
     * The member to ask.
     *
     * @param members at least one
     * @param leader who is believed to lead
     * @param tried asked before for the same read
     * @param silent did not answer lately
     * @param spread a number of the read's own: followers are taken in turn by it
     */
    public static NodeId of(
            List<NodeId> members,
            Optional<NodeId> leader,
            Set<NodeId> tried,
            Set<NodeId> silent,
            long spread) {
        List<NodeId> order = new ArrayList<>(members);
        leader.ifPresent(order::remove);
        Collections.rotate(order, (int) Math.floorMod(-spread, (long) Math.max(1, order.size())));
        leader.filter(members::contains).ifPresent(order::add);
        // Of those that are equally good the first.
        return order.stream()
                .min(
                        Comparator.<NodeId, Boolean>comparing(tried::contains)
                                .thenComparing(silent::contains))
                .orElseThrow();
    }
}
