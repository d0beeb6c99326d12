package io.parterre.manager.lead;

import io.parterre.key.Key;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.map.Split;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.decide.Round;
import io.parterre.manager.plan.decide.Rounds;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.progress.Orders;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.plan.view.ClusterHealth;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the cluster to what the planner aims at, round by round: ends operations that are done,
 * plans, and records what the plan begins. A round begins only when the outcomes of the previous
 * round's proposals are known. Confined to the loop's thread.
 */
final class Placement {
    private static final Logger LOG = LoggerFactory.getLogger(Placement.class);

    /**
     * After a round the loop rests at least this many times the round's duration before an update
     * starts another one.
     */
    private static final int REST = 9;

    private final Supplier<ClusterView> view;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Executor loop;
    private final LongSupplier nanos;
    private final PartitionManagerMetrics metrics;
    private final LeadershipRequests wishes = new LeadershipRequests();
    private final DrainProgress drains = new DrainProgress();
    private final Remarks remarks = new Remarks();
    private final Rounds rounds = new Rounds();

    private Map<RangeId, NodeId> leads = Map.of();
    private boolean proposing;
    private long lastEndNanos;
    private long lastTookNanos;

    Placement(
            Supplier<ClusterView> view,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            Executor loop,
            LongSupplier nanos,
            PartitionManagerMetrics metrics) {
        this.view = view;
        this.propose = propose;
        this.loop = loop;
        this.nanos = nanos;
        this.metrics = metrics;
        this.lastEndNanos = nanos.getAsLong();
    }

    /** Starts another round, unless the previous one ended too recently for its cost. */
    void news() {
        if (nanos.getAsLong() - lastEndNanos >= lastTookNanos * REST) {
            round();
        }
    }

    void round() {
        if (proposing) {
            return;
        }
        long began = nanos.getAsLong();
        ClusterView now = view.get();
        drains.look(now);
        Round round = rounds.next(now);
        List<MapCommand> commands =
                round.match(end -> ended(end, now.now()), begin -> begun(begin, now, began));
        commit(commands, round.again());
    }

    private static List<MapCommand> ended(Round.End end, Instant now) {
        end.chores().forEach(Placement::log);
        return end.chores().stream().map(chore -> noted(chore, now)).toList();
    }

    private List<MapCommand> begun(Round.Begin begin, ClusterView now, long began) {
        Plan plan = begin.plan();
        leads = plan.leads();
        List<MapCommand> commands = new ArrayList<>();
        for (Round.Begun begun : begin.begun()) {
            begun.decision().match(new BegunLog());
            commands.add(JournalNotes.decided(begun.command(), begun.decision(), now.now()));
        }
        remarks.left(plan.left(), now.now());
        List<JournalEntry> leadsAsked = remarks.newLeads(plan.decisions(), now.now());
        if (!leadsAsked.isEmpty()) {
            commands.add(new MapCommand.NoteDecisions(leadsAsked));
        }
        metrics.planned(plan, ClusterHealth.of(now, begin.census()));
        lastEndNanos = nanos.getAsLong();
        lastTookNanos = lastEndNanos - began;
        metrics.round(Duration.ofNanos(lastTookNanos));
        return commands;
    }

    /** Logs what begins. Decisions that begin nothing have no line. */
    private static final class BegunLog implements Decision.Cases<Void> {
        @Override
        public Void change(Decision.ChangeMembers change) {
            LOG.info(
                    "move is begun rangeId={} add={} remove={} reason={} why={}",
                    change.rangeId(),
                    change.add().map(NodeId::value).orElse("-"),
                    change.remove().map(NodeId::value).orElse("-"),
                    change.reason(),
                    change.why());
            return null;
        }

        @Override
        public Void transfer(Decision.TransferLead transfer) {
            return null;
        }

        @Override
        public Void split(Decision.Split split) {
            LOG.info(
                    "split is begun rangeId={} parts={} splitPoint={} childLeader={} reason={} why={}",
                    split.rangeId(),
                    split.parts(),
                    split.splitPoint().map(Key::toString).orElse("-"),
                    split.childLeader().map(NodeId::value).orElse("-"),
                    split.reason(),
                    split.why());
            return null;
        }

        @Override
        public Void merge(Decision.Merge merge) {
            LOG.info(
                    "merge is begun leftRangeId={} rightRangeId={} reason={} why={}",
                    merge.leftId(),
                    merge.rightId(),
                    merge.reason(),
                    merge.why());
            return null;
        }

        @Override
        public Void leave(Decision.Leave leave) {
            return null;
        }
    }

    private static MapCommand noted(Upkeep.Chore chore, Instant now) {
        return JournalNotes.noted(chore.command(), JournalEntry.Kind.ENDED, now, chore.why());
    }

    private static void log(Upkeep.Chore chore) {
        if (chore.command() instanceof MapCommand.EndMove end) {
            LOG.info(
                    "move ended rangeId={} add={} remove={} end={} why={}",
                    end.move().rangeId(),
                    end.move().add().map(NodeId::value).orElse("-"),
                    end.move().remove().map(NodeId::value).orElse("-"),
                    end.end(),
                    chore.why());
        } else if (chore.command() instanceof MapCommand.EndSplit end) {
            LOG.info(
                    "split given up rangeId={} childRangeId={} why={}",
                    end.split().rangeId(),
                    end.split().childId(),
                    chore.why());
        } else if (chore.command() instanceof MapCommand.EndMerge end) {
            LOG.info(
                    "merge given up leftRangeId={} rightRangeId={} why={}",
                    end.merge().leftId(),
                    end.merge().rightId(),
                    chore.why());
        } else {
            LOG.info("map is brought up to date command={} why={}", chore.command(), chore.why());
        }
    }

    private void commit(List<MapCommand> commands, boolean again) {
        if (commands.isEmpty()) {
            return;
        }
        proposing = true;
        CompletableFuture.allOf(
                        commands.stream().map(this::proposed).toArray(CompletableFuture[]::new))
                .whenCompleteAsync(
                        (done, failure) -> {
                            proposing = false;
                            if (failure == null && again) {
                                round();
                            } else if (failure != null) {
                                LOG.warn(
                                        "round in doubt, tried again cause={}", failure.toString());
                            }
                        },
                        loop);
    }

    private CompletableFuture<?> proposed(MapCommand command) {
        return propose.apply(command)
                .thenAccept(
                        outcome -> {
                            if (outcome instanceof MapOutcome.Refused refused) {
                                LOG.info(
                                        "the map has moved on, decided again why={}",
                                        ReasonText.of(refused.reason()));
                            } else {
                                metrics.countMove(command);
                            }
                        });
    }

    /** The split has taken effect. */
    void splitTookEffect(Split split, Instant now) {
        rounds.splitTookEffect(split, now);
    }

    /** Returns the orders of the node, at most {@code ordersMax}. */
    List<Order> orders(ClusterView now, NodeId nodeId, int ordersMax) {
        return Orders.forNode(now, nodeId, wishes.over(leads, now.now()), ordersMax);
    }

    /** Returns the latest plan. */
    Plan plan() {
        return rounds.plan();
    }

    LeadershipRequests wishes() {
        return wishes;
    }

    DrainProgress drains() {
        return drains;
    }

    Remarks remarks() {
        return remarks;
    }

    /** Forgets everything, because another manager may have led meanwhile. */
    void clear() {
        rounds.clear();
        leads = Map.of();
        wishes.clear();
        drains.clear();
        remarks.clear();
    }
}
