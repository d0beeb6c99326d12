package io.parterre.server.raft;

import io.parterre.raftlink.MemberCalls;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In which Raft groups a node that has been started may vote. While it was away, a range may have
 * been taken for lost and been recovered elsewhere as another one; two old members that come back
 * together would be a majority of the old group and serve what nobody counts on any more. So a node
 * votes in a group that it finds on its disk only once it knows better: because a manager has
 * answered its report and names the group as none that was given up, or because every other member
 * has called in that group, the one included that would have had to leave it first. Safe for any
 * thread.
 */
final class VoteQuarantine implements MemberCalls.VoteGate {
    private static final Logger LOG = LoggerFactory.getLogger(VoteQuarantine.class);

    /** Who has called in the groups that it may not vote in yet. */
    private final Map<RaftGroupId, Set<String>> doubted = new ConcurrentHashMap<>();

    /** Groups in which this node's log ends before entries that it had acknowledged. */
    private volatile Set<RaftGroupId> regressed = Set.of();

    /** Groups that wait for the word of a manager. */
    private final Set<RaftGroupId> waiting = ConcurrentHashMap.newKeySet();

    /** This node has found the group on its disk, and has other members in it. */
    void found(RaftGroupId groupId) {
        doubted.putIfAbsent(groupId, ConcurrentHashMap.newKeySet());
        waiting.add(groupId);
    }

    /**
     * This node has found, or made, a group of its own, which has no vote to give or to wait for.
     */
    void foundAlone(RaftGroupId groupId) {
        waiting.add(groupId);
    }

    /** Whether a manager that certainly leads is to be asked. */
    boolean asks() {
        return !waiting.isEmpty();
    }

    boolean mayVote(RaftGroupId groupId) {
        return !doubted.containsKey(groupId);
    }

    /**
     * A manager that certainly leads has answered a report. One that was deposed without knowing it
     * would not know either what was given up since.
     *
     * @param givenUp groups of ranges that live on as others
     * @param unnamed groups here of which the report did not tell: the answer says nothing of them
     */
    void answered(Set<RaftGroupId> givenUp, Set<RaftGroupId> unnamed) {
        doubted.keySet()
                .removeIf(groupId -> !givenUp.contains(groupId) && !unnamed.contains(groupId));
        waiting.retainAll(unnamed);
    }

    /**
     * A manager knows of entries that this node had acknowledged and whose place its log does not
     * reach. No call of another member lets the node vote in such a group: together with a member
     * that never had the entries it would be a majority that forgets them.
     */
    void regressed(Set<RaftGroupId> groupIds) {
        regressed = Set.copyOf(groupIds);
    }

    /**
     * A member has called in the group.
     *
     * @param others all members but this node
     */
    void called(RaftGroupId groupId, String member, Collection<String> others) {
        Set<String> callers = doubted.get(groupId);
        if (callers == null) {
            return;
        }
        boolean first = callers.isEmpty();
        callers.add(member);
        if (callers.containsAll(others) && !regressed.contains(groupId)) {
            doubted.remove(groupId);
            LOG.info("all members of the group are here groupId={}", groupId);
        } else if (first) {
            LOG.info("no vote until a manager has answered groupId={} for={}", groupId, member);
        }
    }

    /** Whether a vote may be given is found out by calls too. */
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
