package io.parterre.raftlink;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Connections on which other members append to the groups of this node. The operating system closes
 * all connections of a process that ends, so a leader without a connection has most likely ended.
 * This is no proof: a firewall may have reset the connection, or the leader may be about to open
 * another one. Safe for any thread. Memory is bounded by the number of members that ever appended.
 */
public final class AppendConnections {
    private final LongSupplier nanoTicker;
    private final Map<RaftPeerId, Member> members = new ConcurrentHashMap<>();

    /**
     * Starts without any connection.
     *
     * @param nanoTicker time in nanoseconds from any origin
     */
    public AppendConnections(LongSupplier nanoTicker) {
        this.nanoTicker = nanoTicker;
    }

    /**
     * A member that has appended.
     *
     * @param open number of its connections
     * @param closedNanos time at which its last closed connection was closed
     */
    private record Member(int open, long closedNanos) {}

    /** Records that the member has appended on a connection for the first time. */
    void opened(RaftPeerId member) {
        members.merge(member, new Member(1, 0), (known, one) -> new Member(known.open() + 1, 0));
    }

    /** Records that a connection is closed on which the member had appended. */
    void closed(RaftPeerId member) {
        members.computeIfPresent(
                member, (id, known) -> new Member(known.open() - 1, nanoTicker.getAsLong()));
    }

    /**
     * Returns the time since the member's last connection was closed; empty: the member has a
     * connection, or never appended.
     */
    OptionalLong lostForNanos(RaftPeerId member) {
        Member known = members.get(member);
        return known == null || known.open() > 0
                ? OptionalLong.empty()
                : OptionalLong.of(nanoTicker.getAsLong() - known.closedNanos());
    }
}
