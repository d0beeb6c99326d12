package io.parterre.chaos.simulation;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.decide.Founding;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.decide.Round;
import io.parterre.manager.plan.decide.Rounds;
import io.parterre.manager.plan.policy.CopysetPolicy;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.progress.Orders;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.LoadPeaks;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** A manager: while it leads it hears reports, answers with orders, and plans, by real parts. */
final class SimulatedManager {
    private static final long ROUND_MILLIS = 1_000;
    private static final int ORDERS_MAX = 100;
    private static final int FIRST_REPLICAS = 3;

    private final Simulation simulation;
    private final SimulatedManagers group;
    final int number;
    private final Map<NodeId, LastReport> heard = new HashMap<>();
    private final Leaders leaders = new Leaders();
    private final Rounds rounds = new Rounds();
    private final LoadPeaks peaks = new LoadPeaks();
    private final Map<RangeId, NodeId> wishes = new HashMap<>();
    private final Set<RangeId> following = new HashSet<>();
    private Instant leadSince = Instant.EPOCH;
    private int proposing;
    private boolean founding;

    boolean up = true;

    /** Term in which it believes to lead; 0: it does not. */
    long term;

    ClusterMap map = ClusterMap.EMPTY;

    SimulatedManager(Simulation simulation, SimulatedManagers group, int number) {
        this.simulation = simulation;
        this.group = group;
        this.number = number;
    }

    private Instant now() {
        return Instant.ofEpochMilli(simulation.timeline.nowMillis() + number * 150L);
    }

    ClusterView view() {
        return new ClusterView(
                map, heard, leaders, leadSince, now(), simulation.policy, peaks.byRange());
    }

    Plan plan() {
        return rounds.plan();
    }

    void lead(long newTerm, ClusterMap known) {
        clear();
        term = newTerm;
        map = known;
        leadSince = now();
        roundAndAgain(newTerm);
    }

    private void clear() {
        heard.clear();
        leaders.clear();
        peaks.clear();
        wishes.clear();
        following.clear();
        rounds.clear();
        proposing = 0;
        founding = false;
    }

    /** It hears that another one leads. */
    void noticed(long led) {
        if (term == led) {
            term = 0;
            clear();
        }
    }

    void crash() {
        up = false;
        term = 0;
        clear();
    }

    void restart() {
        up = true;
    }

    /**
     * A report, and what it says to that.
     *
     * @param answer told nothing if another one leads
     */
    void hears(NodeReport report, Consumer<Optional<List<Order>>> answer) {
        if (term == 0) {
            answer.accept(Optional.empty());
            return;
        }
        NodeId nodeId = report.node().nodeId();
        Instant now = now();
        for (NodeReport.Replica replica : report.replicas()) {
            if (replica.leading() && map.ranges().find(replica.rangeId()).isPresent()) {
                leaders.leads(replica.rangeId(), nodeId);
                if (nodeId.equals(wishes.get(replica.rangeId()))) {
                    wishes.remove(replica.rangeId());
                }
            }
        }
        peaks.heard(report, now);
        heard.put(
                nodeId,
                LastReport.next(
                        Optional.ofNullable(heard.get(nodeId)),
                        report,
                        now,
                        map.ranges().onNode(nodeId),
                        leaders,
                        heard,
                        false,
                        DiskPolicy.DEFAULT));
        ClusterNode node = report.node();
        if (map.node(nodeId).filter(node::equals).isEmpty()) {
            propose(new MapCommand.RegisterNode(node), outcome -> {});
        }
        foundIfDue();
        ClusterView view = view();
        for (Upkeep.News news : Upkeep.news(view, report)) {
            follow(news);
        }
        Map<RangeId, NodeId> leads = new HashMap<>(plan().leads());
        leads.putAll(wishes);
        answer.accept(Optional.of(Orders.forNode(view, nodeId, leads, ORDERS_MAX)));
    }

    private void foundIfDue() {
        if (!founding
                && Founding.decide(map, heard.keySet(), FIRST_REPLICAS, CopysetPolicy.DEFAULT)
                        instanceof Founding.FoundOn on) {
            founding = true;
            propose(
                    new MapCommand.FoundCluster(new ClusterId("c"), on.members()),
                    outcome -> founding = false);
        }
    }

    private void follow(Upkeep.News news) {
        RangeId rangeId = news.known().rangeId();
        if (news.command().isEmpty()) {
            Violation.unless(
                    !group.leader().equals(Optional.of(this)),
                    "range %s has other bounds and is neither split nor merged",
                    news.known());
            return;
        }
        if (following.add(rangeId)) {
            MapCommand command = news.command().get();
            propose(
                    command,
                    outcome -> {
                        following.remove(rangeId);
                        if (command instanceof MapCommand.CompleteSplit completed
                                && outcome.isPresent()) {
                            rounds.splitTookEffect(completed.split(), now());
                        }
                    });
        }
    }

    private void propose(MapCommand command, Consumer<Optional<MapOutcome>> done) {
        long asLed = term;
        group.propose(
                this,
                command,
                outcome -> {
                    if (term == asLed) {
                        done.accept(outcome);
                    }
                });
    }

    private void roundAndAgain(long asLed) {
        if (term == asLed) {
            peaks.tidy(now());
            round();
            simulation.timeline.in(ROUND_MILLIS, () -> roundAndAgain(asLed));
        }
    }

    private void round() {
        if (proposing > 0) {
            return;
        }
        Round round = rounds.next(view());
        List<MapCommand> commands =
                round.match(
                        end -> end.chores().stream().map(Upkeep.Chore::command).toList(),
                        begin -> begin.begun().stream().map(Round.Begun::command).toList());
        commit(commands, round.again());
    }

    private void commit(List<MapCommand> commands, boolean again) {
        proposing += commands.size();
        for (MapCommand command : commands) {
            propose(
                    command,
                    outcome -> {
                        proposing--;
                        if (proposing == 0 && again && outcome.isPresent()) {
                            round();
                        }
                    });
        }
    }

    /** An operator asks for something; it is done if it may be. */
    void operate(Function<ClusterView, Verdict> request) {
        if (term != 0 && request.apply(view()) instanceof Verdict.Do verdict) {
            verdict.commands().forEach(command -> propose(command, outcome -> {}));
            verdict.wish().ifPresent(wish -> wishes.put(wish.rangeId(), wish.to()));
        }
    }
}
