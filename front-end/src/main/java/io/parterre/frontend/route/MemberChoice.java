package io.parterre.frontend.route;

import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the member for a read that may be stale. In this order, the choice prefers members not
 * asked yet, members not known to be silent, and followers over the leader, which has enough to do.
 * Stateless; thread-safe.
 */
public final class MemberChoice {
    private MemberChoice() {}

    /**
     * Returns the member to ask.
     *
     * @param members at least one
     * @param leader member that is believed to lead
     * @param tried members asked before for the same read
     * @param silent nodes that did not answer recently
     * @param spread number of the read, by which followers take turns
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
        // The first of those that are equally good.
        return order.stream()
                .min(
                        Comparator.<NodeId, Boolean>comparing(tried::contains)
                                .thenComparing(silent::contains))
                .orElseThrow();
    }
}
