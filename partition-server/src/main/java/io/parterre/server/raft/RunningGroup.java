package io.parterre.server.raft;

import io.parterre.server.change.FollowerState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.FirstElection;
import org.apache.ratis.server.impl.LeaderLeaseView;
import org.apache.ratis.server.impl.LeadershipConfirmation;

/**
 * A replica's Raft group as Ratis runs it, if it does. Each answer is true at one moment only; a
 * running group may have ended by the next. Safe for any thread; never blocks, except where a
 * method says so.
 */
final class RunningGroup {
    private volatile Optional<RaftServer.Division> division = Optional.empty();

    void joined(RaftServer.Division running) {
        division = Optional.of(running);
    }

    void left() {
        division = Optional.empty();
    }

    /** The group that Ratis runs; empty if the replica has none. */
    Optional<RaftServer.Division> division() {
        return division;
    }

    private Optional<DivisionInfo> info() {
        return division.map(RaftServer.Division::getInfo);
    }

    /**
     * The term in which the replica leads and has applied everything before it; empty if it does
     * not lead.
     */
    OptionalLong leadTerm() {
        return info().filter(DivisionInfo::isLeaderReady)
                .map(info -> OptionalLong.of(info.getCurrentTerm()))
                .orElse(OptionalLong.empty());
    }

    boolean isLeader() {
        return info().filter(DivisionInfo::isLeader).isPresent();
    }

    /** Whether the replica leads with a lease that is valid by Ratis's clock. */
    boolean hasLease() {
        return division.filter(LeaderLeaseView::hasLease).isPresent();
    }

    /** Makes the leader send a message to its followers at once. */
    void askFollowers() {
        division.ifPresent(LeadershipConfirmation::ask);
    }

    /**
     * Time at which the leader sent the last message that a majority has taken; empty if it does
     * not lead.
     */
    OptionalLong takenNanos() {
        return division.map(LeadershipConfirmation::takenNanos).orElse(OptionalLong.empty());
    }

    /** Node that leads; empty if unknown. */
    Optional<String> leader() {
        return info().map(DivisionInfo::getLeaderId).map(RaftPeerId::toString);
    }

    /** The other members, as their leader sees them; empty if the replica does not lead. */
    List<FollowerState> followers() {
        return division.map(Followers::of).orElse(List.of());
    }

    /** Starts the group's first election now, if there was none; waits for the disk. */
    void standForFirstElection() {
        division.ifPresent(FirstElection::stand);
    }
}
