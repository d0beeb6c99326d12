package io.parterre.chaos.simulation;

import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What Raft does between nodes, for the replicas of one of them. */
final class Replication {
    static final long LEASE_MILLIS = 1_500;
    private static final long ELECTION_MILLIS = 2_000;
    private static final long SILENT_LEADER_MILLIS = 4_000;

    private final SimulatedServer server;
    private final Simulation simulation;

    Replication(SimulatedServer server) {
        this.server = server;
        this.simulation = server.simulation;
    }

    /** Once in a while: heartbeats, elections that are due, leads that lead to nothing. */
    void tick(SimulatedReplica replica) {
        long nowMillis = server.nowMillis();
        if (replica.leadsByRaft()) {
            boolean heard =
                    replica.log.isMajority(
                            replica.log.end(),
                            node ->
                                    node.equals(server.nodeId)
                                            || nowMillis
                                                            - replica.acknowledgedMillis
                                                                    .getOrDefault(
                                                                            node,
                                                                            replica.leadSinceMillis)
                                                    < SILENT_LEADER_MILLIS);
            if (!heard) {
                simulation.trace.note("cannot reach the others", server.nodeId, replica.rangeId);
                replica.stepDown(replica.term);
                return;
            }
            send(replica);
            stage(replica);
        } else if (nowMillis - replica.heardMillis
                > ELECTION_MILLIS + server.random.nextInt((int) ELECTION_MILLIS)) {
            stand(replica, false);
        }
    }

    /** An entry was appended: it gets to this node's disk and to the others. */
    void appended(SimulatedReplica replica) {
        sync(replica);
        sendSoon(replica);
    }

    private void sync(SimulatedReplica replica) {
        long term = replica.leadTerm;
        server.later(
                1 + server.random.nextInt(simulation.conditions.slowDisk(server.nodeId) ? 80 : 4),
                replica,
                () -> {
                    if (replica.leadTerm == term && term == replica.log.term) {
                        replica.log.held.put(server.nodeId, replica.log.end());
                        advance(replica);
                    }
                });
    }

    private void sendSoon(SimulatedReplica replica) {
        if (!replica.sends) {
            replica.sends = true;
            server.later(
                    1,
                    replica,
                    () -> {
                        replica.sends = false;
                        send(replica);
                    });
        }
    }

    private void send(SimulatedReplica replica) {
        if (!replica.leadsByRaft()) {
            return;
        }
        Set<NodeId> receivers = new TreeSet<>(replica.log.members());
        receivers.addAll(replica.log.previous());
        receivers.addAll(replica.staging);
        receivers.remove(server.nodeId);
        for (NodeId receiver : receivers) {
            send(replica, receiver);
        }
        if (receivers.isEmpty()) {
            advance(replica);
        }
    }

    private void send(SimulatedReplica replica, NodeId receiver) {
        long term = replica.leadTerm;
        // What is appended in a later term is not this one's to send.
        long end = term == replica.log.term ? replica.log.end() : replica.log.committed;
        long committed = replica.known;
        long sentMillis = server.nowMillis();
        simulation.network.sendRaft(
                server.nodeId,
                receiver,
                () ->
                        simulation
                                .server(receiver)
                                .find(replica.rangeId)
                                .filter(follower -> follower.hasGroup)
                                .ifPresent(
                                        follower ->
                                                follower.server.replication.take(
                                                        follower,
                                                        replica,
                                                        term,
                                                        end,
                                                        committed,
                                                        sentMillis)));
    }

    private void take(
            SimulatedReplica follower,
            SimulatedReplica leader,
            long term,
            long end,
            long committed,
            long sentMillis) {
        SimulatedLog log = follower.log;
        if (term < follower.term) {
            long newer = follower.term;
            simulation.network.sendRaft(
                    server.nodeId,
                    leader.server.nodeId,
                    () -> {
                        if (!leader.gone && leader.leadTerm > 0 && leader.leadTerm < newer) {
                            leader.stepDown(newer);
                        }
                    });
            return;
        }
        follower.stepDown(term);
        follower.leader = Optional.of(leader.server.nodeId);
        follower.heardMillis = server.nowMillis();
        if (follower.isWithoutData() || log.held(server.nodeId) < log.dropped) {
            server.installs.begin(follower, leader);
        } else if (term == log.term) {
            log.held.put(
                    server.nodeId, Math.max(log.held(server.nodeId), Math.min(end, log.end())));
        }
        follower.heard(committed, sentMillis);
        applySoon(follower);
        simulation.network.sendRaft(
                server.nodeId,
                leader.server.nodeId,
                () -> {
                    if (!leader.gone && leader.leadTerm == term) {
                        leader.acknowledgedMillis.merge(server.nodeId, sentMillis, Math::max);
                        leader.server.replication.advance(leader);
                    }
                });
    }

    private void advance(SimulatedReplica leader) {
        SimulatedLog log = leader.log;
        if (leader.leadTerm != log.term) {
            simulation.invariants.touched(leader);
            return;
        }
        if (log.advance() && !leader.log.previous().isEmpty()) {
            sendSoon(leader);
        }
        if (log.committed > leader.known) {
            leader.known = log.committed;
            applySoon(leader);
            sendSoon(leader);
        }
        simulation.invariants.touched(leader);
    }

    void applySoon(SimulatedReplica replica) {
        if (!replica.applies && replica.canApply()) {
            replica.applies = true;
            server.later(
                    simulation.conditions.applyMillis(server.nodeId),
                    replica,
                    () -> {
                        replica.applies = false;
                        if (!replica.canApply()) {
                            return;
                        }
                        if (replica.applyNext()) {
                            applySoon(replica);
                        } else {
                            replica.applies = true;
                            server.later(
                                    20,
                                    replica,
                                    () -> {
                                        replica.applies = false;
                                        applySoon(replica);
                                    });
                        }
                    });
        }
    }

    /** Takes in nodes that were to be members first of all, as soon as they have the data. */
    private void stage(SimulatedReplica leader) {
        SimulatedLog log = leader.log;
        if (leader.staging.isEmpty() || leader.leadTerm != log.term || leader.transferring) {
            return;
        }
        boolean level =
                leader.staging.stream()
                        .filter(node -> !log.isMember(node))
                        .allMatch(
                                node ->
                                        simulation.network.reaches(server.nodeId, node)
                                                && log.held(node) >= log.committed - 20);
        if (level && log.previous().isEmpty() && leader.isLeading()) {
            simulation.trace.note("configures", server.nodeId, leader.rangeId, leader.staging);
            log.configure(leader.staging);
            appended(leader);
            leader.staging = Set.of();
            awaitConfigured(leader, log.end(), leader.leadTerm);
        }
    }

    private void awaitConfigured(SimulatedReplica leader, long index, long term) {
        server.later(
                20,
                leader,
                () -> {
                    if (leader.leadTerm != term) {
                        return;
                    }
                    if (leader.log.committed >= index) {
                        var staged = leader.staged;
                        leader.staged = done -> {};
                        staged.accept(true);
                    } else {
                        awaitConfigured(leader, index, term);
                    }
                });
    }

    /**
     * Stands for election.
     *
     * @param asked by the leader, which has given leadership up: those that hear it do not refuse
     */
    void stand(SimulatedReplica candidate, boolean asked) {
        SimulatedLog log = candidate.log;
        NodeId self = server.nodeId;
        long has = log.held(self);
        long nowMillis = server.nowMillis();
        if (!candidate.hasGroup
                || candidate.gone
                || candidate.leadsByRaft()
                || candidate.phase().isEnding()
                || candidate.isWithoutData()
                || has < log.committed
                || !log.isMember(self)) {
            return;
        }
        List<SimulatedReplica> voters = new ArrayList<>();
        boolean elected =
                log.isMajority(
                        has,
                        node -> {
                            Optional<SimulatedReplica> voter =
                                    simulation.network.reaches(self, node)
                                            ? simulation.server(node).find(log.rangeId)
                                            : Optional.empty();
                            boolean votes =
                                    voter.isPresent()
                                            && (node.equals(self)
                                                    || votes(voter.get(), has, asked, nowMillis));
                            if (votes) {
                                voters.add(voter.get());
                            }
                            return votes;
                        });
        if (!elected) {
            return;
        }
        log.term++;
        log.cut(has);
        for (SimulatedReplica voter : voters) {
            voter.stepDown(log.term);
            voter.heardMillis = nowMillis;
        }
        candidate.leadTerm = log.term;
        candidate.leadSinceMillis = nowMillis;
        candidate.leader = Optional.of(self);
        candidate.acknowledgedMillis.clear();
        candidate.leadIndex =
                log.append(new SimulatedLog.Entry(log.term, Optional.empty(), List.of()));
        // It reads only once it has applied what it appended when it led before.
        candidate.pendingSplits.settled();
        simulation.stats.elections++;
        simulation.trace.note("elected", self, log.rangeId, log.term, candidate.leadIndex);
        simulation.invariants.leads(candidate);
        appended(candidate);
    }

    private static boolean votes(
            SimulatedReplica voter, long candidateHas, boolean asked, long nowMillis) {
        boolean hears = nowMillis - voter.heardMillis < ELECTION_MILLIS || voter.hasLease();
        return voter.hasGroup
                && !voter.phase().isEnding()
                && !voter.isWithoutData()
                && voter.log.held(voter.server.nodeId) <= candidateHas
                && (asked || !hears);
    }

    /** Hands leadership over, if the other one is about to have everything. */
    void transfer(SimulatedReplica replica, NodeId target) {
        SimulatedLog log = replica.log;
        boolean ready =
                replica.isLeading()
                        && !replica.transferring
                        && replica.staging.isEmpty()
                        && log.members().contains(target)
                        && log.held(target) >= replica.appliedIndex() - 100;
        if (!ready) {
            return;
        }
        replica.transferring = true;
        long term = replica.leadTerm;
        simulation.trace.note("hands over", server.nodeId, replica.rangeId, target);
        simulation.network.sendRaft(
                server.nodeId,
                target,
                () ->
                        simulation
                                .server(target)
                                .find(replica.rangeId)
                                .filter(other -> log.held(target) == log.end())
                                .filter(other -> log.term == term && replica.transferring)
                                .ifPresent(other -> other.server.replication.stand(other, true)));
        server.later(
                LEASE_MILLIS + 500,
                replica,
                () -> {
                    if (replica.leadTerm == term) {
                        replica.acknowledgedMillis.clear();
                        replica.transferring = false;
                    }
                });
    }
}
