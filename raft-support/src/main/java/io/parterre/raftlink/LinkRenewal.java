package io.parterre.raftlink;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Decides which connections to other nodes are renewed. All groups of a node share one connection
 * to each other node, so a connection that works for one group is kept for all.
 *
 * @param silenceMax longest time that a follower may owe its leader an answer; longer than the
 *     largest entry takes on a slow network
 * @param leaderlessMax longest time that a group may have no leader; such a group sends only calls
 *     for votes, and on a machine too busy to elect, new connections cost more than they help
 */
record LinkRenewal(Duration silenceMax, Duration leaderlessMax) {
    private static final Comparator<RaftPeerId> BY_NAME =
            Comparator.comparing(RaftPeerId::toString);

    /**
     * A group that this node leads.
     *
     * @param silences time since the last answer of each other member
     */
    record Led(Map<RaftPeerId, Duration> silences) {
        Led {
            silences = Map.copyOf(silences);
        }
    }

    /**
     * A group whose leader this node does not know.
     *
     * @param others the group's other members
     * @param time time since this node last knew a leader
     */
    record Leaderless(Set<RaftPeerId> others, Duration time) {
        Leaderless {
            others = Set.copyOf(others);
        }
    }

    /** Returns times in proportion to the longest election timeout. */
    static LinkRenewal of(Duration electionTimeoutMax) {
        return new LinkRenewal(
                electionTimeoutMax.multipliedBy(5), electionTimeoutMax.multipliedBy(4));
    }

    /**
     * Returns the nodes whose connections are renewed, in the order of their names.
     *
     * @param led groups that this node leads
     * @param leaderless groups without a known leader
     * @param ages time since the last renewal of each connection
     */
    Collection<RaftPeerId> due(
            List<Led> led, List<Leaderless> leaderless, Function<RaftPeerId, Duration> ages) {
        Set<RaftPeerId> heard = new TreeSet<>(BY_NAME);
        Set<RaftPeerId> silent = new TreeSet<>(BY_NAME);
        for (Led group : led) {
            group.silences()
                    .forEach(
                            (node, silence) -> {
                                if (silence.compareTo(silenceMax) < 0) {
                                    heard.add(node);
                                } else if (ages.apply(node).compareTo(silenceMax) >= 0) {
                                    silent.add(node);
                                }
                            });
        }
        for (Leaderless group : leaderless) {
            if (group.time().compareTo(leaderlessMax) >= 0) {
                group.others().stream()
                        .filter(node -> ages.apply(node).compareTo(leaderlessMax) >= 0)
                        .forEach(silent::add);
            }
        }
        silent.removeAll(heard);
        return silent;
    }
}
