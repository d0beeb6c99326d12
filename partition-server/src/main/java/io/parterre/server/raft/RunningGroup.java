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
import org.apache.ratis.server.impl.LeaderRound;

/**
 * A replica's Raft group as Ratis runs it, if it does. Each question is answered of one moment; a
 * group that runs may have ended by the next. Safe for any thread; never blocks but where a method
 * says so.
 */
final class RunningGroup {
    private volatile Optional<RaftServer.Division> division = Optional.empty();

    void joined(RaftServer.Division running) {
        division = Optional.of(running);
    }

    void left() {
        division = Optional.empty();
    }

    /** What Ratis runs; empty: the replica has no group. */
    Optional<RaftServer.Division> division() {
        return division;
    }

    private Optional<DivisionInfo> info() {
        return division.map(RaftServer.Division::getInfo);
    }

    /** The term in which the replica leads and has applied all before it; empty: it does not. */
    OptionalLong leadTerm() {
        return info().filter(DivisionInfo::isLeaderReady)
                .map(info -> OptionalLong.of(info.getCurrentTerm()))
                .orElse(OptionalLong.empty());
    }

    boolean isLeader() {
        return info().filter(DivisionInfo::isLeader).isPresent();
    }

    /** Whether it leads with a lease that holds by the clock that Ratis measures it with. */
    boolean hasLease() {
        return division.filter(LeaderLeaseView::hasLease).isPresent();
    }

    /** Has the leader send to its followers at once. */
    void askFollowers() {
        division.ifPresent(LeaderRound::ask);
    }

    /** When it sent the last of what a majority has taken; empty: it does not lead. */
    OptionalLong takenNanos() {
        return division.map(LeaderRound::takenNanos).orElse(OptionalLong.empty());
    }

    /** Node that leads; empty: not known. */
    Optional<String> leader() {
        return info().map(DivisionInfo::getLeaderId).map(RaftPeerId::toString);
    }

    /** The other members, as a leader sees them; none if the replica does not lead. */
    List<FollowerState> followers() {
        return division.map(Followers::of).orElse(List.of());
    }

    /** Has the group's first election now, if there was none; waits for the disk. */
    void standForFirstElection() {
        division.ifPresent(FirstElection::stand);
    }
}
