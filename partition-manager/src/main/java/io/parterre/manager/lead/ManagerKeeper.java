package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.membership.Admission;
import io.parterre.manager.plan.membership.ManagerSteps;
import io.parterre.manager.plan.membership.ManagerSteps.Reply;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.plan.membership.ManagersView.Introduced;
import io.parterre.manager.raft.MapGroup;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the managers' Raft group until it has the wanted set, and answers managers that introduce
 * themselves. Confined to the loop's thread.
 */
final class ManagerKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(ManagerKeeper.class);

    /** A manager outside of the group introduces itself several times a second. */
    private static final Duration INTRODUCTION_AGE_MAX = Duration.ofSeconds(4);

    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(2);

    private record Said(Introduced what, Instant at) {}

    private final MapGroup group;
    private final NodeId self;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final InstantSource clock;
    private final Executor loop;
    private final Map<NodeId, Said> said = new HashMap<>();
    private boolean changing;
    private String lastStep = "";

    ManagerKeeper(
            MapGroup group,
            NodeId self,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            InstantSource clock,
            Executor loop) {
        this.group = group;
        this.self = self;
        this.propose = propose;
        this.clock = clock;
        this.loop = loop;
    }

    /** Forgets what was heard in an earlier leadership. */
    void clear() {
        said.clear();
    }

    Optional<ManagersView> view() {
        return group.configuration().map(this::view);
    }

    private ManagersView view(MapGroup.Configuration configuration) {
        Instant now = clock.instant();
        said.values()
                .removeIf(
                        each ->
                                Duration.between(each.at(), now).compareTo(INTRODUCTION_AGE_MAX)
                                        > 0);
        Map<NodeId, Introduced> introduced = new HashMap<>();
        said.forEach((nodeId, each) -> introduced.put(nodeId, each.what()));
        Set<NodeId> healthy = new HashSet<>(Set.of(self));
        group.silences()
                .forEach(
                        (nodeId, silence) -> {
                            if (group.isHealthy(silence)) {
                                healthy.add(nodeId);
                            }
                        });
        return new ManagersView(
                self,
                configuration.groupId(),
                configuration.members(),
                configuration.stable() && !changing,
                // A manager that is being brought the log is neither a member yet nor a stray.
                configuration.strays() && !changing,
                group.map().managers(),
                introduced,
                healthy);
    }

    /** Takes what a manager says of itself and answers whether it may join. */
    CompletableFuture<LeaderAnswer<Reply>> introduced(Introduced what) {
        said.put(what.manager().nodeId(), new Said(what, clock.instant()));
        Optional<Reply> word = view().map(view -> ManagerSteps.word(view, what));
        if (word.isEmpty()) {
            return CompletableFuture.completedFuture(
                    new LeaderAnswer.NotLeading<>(Optional.empty()));
        }
        if (!word.get().toConfirm()) {
            return given(word.get());
        }
        // A deposed leader may not know of its deposition, so the answer counts only if a proposal
        // is committed now.
        return propose.apply(confirmation())
                .thenComposeAsync(outcome -> confirmed(what, word.get(), outcome), loop);
    }

    /** Returns a command that sets the managers unchanged. */
    private MapCommand confirmation() {
        return new MapCommand.SetManagers(
                group.map().managers().generation(), group.map().managers().all());
    }

    private CompletableFuture<LeaderAnswer<Reply>> confirmed(
            Introduced what, Reply before, MapOutcome outcome) {
        Optional<Reply> now = view().map(view -> ManagerSteps.word(view, what));
        boolean holds =
                outcome instanceof MapOutcome.Done
                        && now.filter(word -> word.admission() == before.admission()).isPresent();
        return holds
                ? given(before)
                : given(new Reply(Admission.WAIT, "the managers are changing", false));
    }

    private static CompletableFuture<LeaderAnswer<Reply>> given(Reply word) {
        return CompletableFuture.completedFuture(new LeaderAnswer.Given<>(word));
    }

    /** Takes the next step, if there is one. */
    void look() {
        Optional<ManagersView> view = view();
        if (view.isEmpty() || changing) {
            return;
        }
        if (view.get().wanted().generation() == 0) {
            if (view.get().stable()) {
                setOut(view.get());
            }
            return;
        }
        ManagerSteps.Step step = ManagerSteps.next(view.get());
        if (step instanceof ManagerSteps.Reconfigure change) {
            reconfigure(view.get(), change);
        } else if (step instanceof ManagerSteps.HandOver handOver) {
            follow(handOver.why());
            changing = true;
            group.transferLeadership(HAND_OVER_TIMEOUT)
                    .whenCompleteAsync((done, failure) -> changed(failure), loop);
        } else if (step instanceof ManagerSteps.Await await) {
            follow(await.what());
        } else {
            lastStep = "";
        }
    }

    /** Returns what the current change waits for; empty if the group has the wanted set. */
    Optional<String> step() {
        return view().filter(view -> view.wanted().generation() > 0)
                .flatMap(
                        view ->
                                ManagerSteps.next(view) instanceof ManagerSteps.Settled
                                        ? Optional.empty()
                                        : Optional.of(lastStep));
    }

    private void follow(String step) {
        if (!lastStep.equals(step)) {
            lastStep = step;
            LOG.info("managers change step={}", step);
        }
    }

    /** Records the group's current members as the first wanted set. */
    private void setOut(ManagersView view) {
        List<ClusterManager> members =
                view.members().stream().map(member -> member.withIncarnation("")).toList();
        changing = true;
        propose.apply(new MapCommand.SetManagers(0, members))
                .whenCompleteAsync((outcome, failure) -> changed(failure), loop);
    }

    private void reconfigure(ManagersView view, ManagerSteps.Reconfigure change) {
        follow(change.why());
        changing = true;
        group.reconfigure(view.members(), change.members())
                .whenCompleteAsync((done, failure) -> changed(failure), loop);
    }

    private void changed(Throwable failure) {
        changing = false;
        if (failure != null) {
            LOG.warn(
                    "managers not changed, tried again step={} reason={}",
                    lastStep,
                    Loop.reason(failure));
        }
    }
}
