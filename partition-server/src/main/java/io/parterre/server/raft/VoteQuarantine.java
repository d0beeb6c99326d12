package io.parterre.server.raft;

import io.parterre.raftlink.MemberCalls;
import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ConfirmationEvent;
import io.parterre.server.lifecycle.VoteRight;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back this node's votes in the Raft groups that its start has found, by the rules of {@link
 * VoteRight}, and notes which members call in them. The node is elected in none of these groups
 * meanwhile. Safe for any thread.
 *
 * <p>Calls of all members count only after a wait for the managers, who may know that this node
 * lost acknowledged entries. Servers that start together would otherwise not wait for that answer.
 */
public final class VoteQuarantine implements MemberCalls.VoteGate {
    private static final Logger LOG = LoggerFactory.getLogger(VoteQuarantine.class);

    /**
     * A group that the node has found.
     *
     * @param callers other members that have called in the group; safe for any thread
     * @param askedNanos ticker time at which a manager was first asked; empty if none was asked yet
     */
    private record Found(VoteRight right, Set<String> callers, OptionalLong askedNanos) {
        Found asked(long nowNanos) {
            return askedNanos.isPresent()
                    ? this
                    : new Found(right, callers, OptionalLong.of(nowNanos));
        }
    }

    private final LongSupplier nanoTicker;
    private final long managersAwaitedNanos;

    /** Groups in which the node does not vote unconditionally. */
    private final Map<RaftGroupId, Found> groups = new ConcurrentHashMap<>();

    /**
     * Creates a quarantine without groups.
     *
     * @param nanoTicker time in nanoseconds from any origin
     * @param managersAwaited time from the first question to a manager until calls of all members
     *     count
     */
    public VoteQuarantine(LongSupplier nanoTicker, Duration managersAwaited) {
        this.nanoTicker = nanoTicker;
        this.managersAwaitedNanos = managersAwaited.toNanos();
    }

    /** Handles an event in the group of a range. */
    public void on(RangeId rangeId, ConfirmationEvent event) {
        on(RaftGroupId.valueOf(rangeId.groupId()), event);
    }

    private void on(RaftGroupId groupId, ConfirmationEvent event) {
        groups.compute(
                groupId,
                (id, known) -> {
                    VoteRight before = known == null ? VoteRight.VOTES : known.right();
                    VoteRight next = before.on(event);
                    if (next == VoteRight.VOTES) {
                        return null;
                    }
                    return known == null
                            ? new Found(next, ConcurrentHashMap.newKeySet(), OptionalLong.empty())
                            : new Found(next, known.callers(), known.askedNanos());
                });
    }

    /** Forgets groups of replicas that are gone. */
    public void retain(Predicate<RangeId> here) {
        groups.keySet().removeIf(groupId -> !here.test(RangeId.ofGroupId(groupId.getUuid())));
    }

    /** Whether a manager whose leadership is confirmed has to be asked. */
    public boolean asks() {
        return groups.values().stream().anyMatch(found -> found.right().asks());
    }

    /** Notes that a report is on its way to a manager. */
    public void asked() {
        long nowNanos = nanoTicker.getAsLong();
        groups.replaceAll((groupId, found) -> found.asked(nowNanos));
    }

    boolean mayVote(RaftGroupId groupId) {
        Found found = groups.get(groupId);
        return found == null || found.right().mayVote();
    }

    /**
     * Handles a member's call in the group.
     *
     * @param others all members but this node
     */
    void called(RaftGroupId groupId, String member, Collection<String> others) {
        Found found = groups.get(groupId);
        if (found == null || found.right().mayVote()) {
            return;
        }
        boolean first = found.callers().isEmpty();
        boolean allBefore = found.callers().containsAll(others);
        found.callers().add(member);
        boolean all = found.callers().containsAll(others);
        boolean awaited =
                found.askedNanos().isPresent()
                        && nanoTicker.getAsLong() - found.askedNanos().getAsLong()
                                >= managersAwaitedNanos;
        if (all && awaited) {
            on(groupId, ConfirmationEvent.ALL_CALLED);
        }
        if (mayVote(groupId)) {
            LOG.info("all members of the group are here groupId={}", groupId);
        } else if (all && !allBefore) {
            LOG.info("all members are here, a manager is awaited groupId={}", groupId);
        } else if (first) {
            LOG.info("no vote until a manager has answered groupId={} for={}", groupId, member);
        }
    }

    @Override
    public boolean mayStand(RaftGroupId groupId) {
        return mayVote(groupId);
    }

    /**
     * Refuses a call for a vote while the node may not vote. The call itself counts as a call of
     * its member.
     */
    @Override
    public void pass(RaftServer server, RaftGroupId groupId, String candidate) throws IOException {
        if (mayVote(groupId)) {
            return;
        }
        called(
                groupId,
                candidate,
                server.getDivision(groupId).getRaftConf().getAllPeers().stream()
                        .map(peer -> peer.getId().toString())
                        .filter(peer -> !peer.equals(server.getId().toString()))
                        .toList());
        if (!mayVote(groupId)) {
            throw new IOException("no vote in group " + groupId + " before a manager has answered");
        }
    }
}
