package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.reason.Reason;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out operators' requests that were judged. Confined to the loop's thread. */
final class Operators {
    private static final Logger LOG = LoggerFactory.getLogger(Operators.class);

    private final Supplier<ClusterMap> map;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Consumer<Verdict.LeadershipRequest> wish;
    private final InstantSource clock;
    private final Executor loop;

    Operators(
            Supplier<ClusterMap> map,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            Consumer<Verdict.LeadershipRequest> wish,
            InstantSource clock,
            Executor loop) {
        this.map = map;
        this.propose = propose;
        this.wish = wish;
        this.clock = clock;
        this.loop = loop;
    }

    CompletableFuture<LeaderAnswer<Operated>> carryOut(Verdict verdict, boolean dryRun) {
        if (verdict instanceof Verdict.NotFound missing) {
            return answer(new LeaderAnswer.NotFound<>(missing.why()));
        }
        if (verdict instanceof Verdict.Invalid invalid) {
            return answer(new LeaderAnswer.Invalid<>(invalid.why()));
        }
        if (verdict instanceof Verdict.Refuse refuse) {
            return answer(new LeaderAnswer.Refused<>(refuse.why()));
        }
        Verdict.Do done = (Verdict.Do) verdict;
        if (dryRun) {
            return answer(new LeaderAnswer.Given<>(new Operated(done.effects(), map.get())));
        }
        LOG.info("operator's request effects={}", done.effects());
        done.wish().ifPresent(wish);
        return commit(noted(done))
                .thenApplyAsync(
                        why ->
                                why.<LeaderAnswer<Operated>>map(LeaderAnswer.Refused::new)
                                        .orElseGet(
                                                () ->
                                                        new LeaderAnswer.Given<>(
                                                                new Operated(
                                                                        done.effects(),
                                                                        map.get()))),
                        loop);
    }

    private List<MapCommand> noted(Verdict.Do done) {
        Instant now = clock.instant();
        Reason why = Reason.all(done.effects());
        List<MapCommand> commands = new ArrayList<>();
        for (MapCommand command : done.commands()) {
            commands.add(JournalNotes.noted(command, JournalEntry.Kind.ASKED, now, why));
        }
        done.wish().ifPresent(wanted -> commands.add(JournalNotes.asked(wanted, now, why)));
        return commands;
    }

    private static CompletableFuture<LeaderAnswer<Operated>> answer(LeaderAnswer<Operated> answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /**
     * Proposes the commands one after the other until one is refused. Returns the reason of the
     * refusal; empty if there is none.
     */
    private CompletableFuture<Optional<Reason>> commit(List<MapCommand> commands) {
        CompletableFuture<Optional<Reason>> refusal =
                CompletableFuture.completedFuture(Optional.empty());
        for (MapCommand command : commands) {
            refusal =
                    refusal.thenCompose(
                            before ->
                                    before.isPresent()
                                            ? CompletableFuture.completedFuture(before)
                                            : propose.apply(command).thenApply(Operators::refusal));
        }
        return refusal;
    }

    private static Optional<Reason> refusal(MapOutcome outcome) {
        return outcome instanceof MapOutcome.Refused refused
                ? Optional.of(refused.reason())
                : Optional.empty();
    }
}
