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
 * Which connections to other nodes are made again. All groups of a node share one connection to
 * each other node, so one that works for a group is left to the others as well.
 *
 * @param silenceMax how long a follower may owe its leader an answer: longer than its largest entry
 *     takes on a slow network
 * @param leaderlessMax how long a group may know of no leader; it sends nothing but votes, and on a
 *     machine that is too busy to elect one, new connections cost it more
 */
record LinkRenewal(Duration silenceMax, Duration leaderlessMax) {
    private static final Comparator<RaftPeerId> BY_NAME =
            Comparator.comparing(RaftPeerId::toString);

    /**
     * A group that this node leads.
     *
     * @param silences of the other members, since the last answer of each
     */
    record Led(Map<RaftPeerId, Duration> silences) {
        Led {
            silences = Map.copyOf(silences);
        }
    }

    /**
     * A group for which this node knows of no leader.
     *
     * @param others its other members
     * @param time since it last knew of one
     */
    record Leaderless(Set<RaftPeerId> others, Duration time) {
        Leaderless {
            others = Set.copyOf(others);
        }
    }

    /** In proportion to how soon followers stand for election. */
    static LinkRenewal of(Duration electionTimeoutMax) {
        return new LinkRenewal(
                electionTimeoutMax.multipliedBy(5), electionTimeoutMax.multipliedBy(4));
    }

    /**
     * The nodes to which connections are renewed, in the order of their names.
     *
     * @param ages of the connections that were made again before
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
