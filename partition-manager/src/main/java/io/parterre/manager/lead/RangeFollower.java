package io.parterre.manager.lead;

import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates the map with changes that ranges' own logs have decided. Confined to the loop's thread.
 */
final class RangeFollower {
    private static final Logger LOG = LoggerFactory.getLogger(RangeFollower.class);

    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Executor loop;
    private final Set<RangeId> proposing = new HashSet<>();

    RangeFollower(Function<MapCommand, CompletableFuture<MapOutcome>> propose, Executor loop) {
        this.propose = propose;
        this.loop = loop;
    }

    /**
     * Proposes the update, at most one for a range at a time.
     *
     * @param now by the leader's clock
     */
    void follow(Upkeep.News news, Instant now) {
        RangeId rangeId = news.known().rangeId();
        if (news.command().isEmpty()) {
            // Front ends learn the true bounds from the range's servers. The map must not guess.
            LOG.error("range has other bounds and is neither split nor merged rangeId={}", rangeId);
            return;
        }
        if (!proposing.add(rangeId)) {
            return;
        }
        MapCommand update = news.command().get();
        LOG.info("range has changed rangeId={} change={}", rangeId, update);
        propose.apply(
                        JournalNotes.noted(
                                update, JournalEntry.Kind.ENDED, now, ReasonCode.LOG_HAS_IT.of()))
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            proposing.remove(rangeId);
                            if (failure != null) {
                                LOG.warn(
                                        "range in doubt, tried again rangeId={} reason={}",
                                        rangeId,
                                        Loop.reason(failure));
                            } else if (outcome instanceof MapOutcome.UnknownMembers unknown) {
                                LOG.error(
                                        "range has members that never reported rangeId={} members={}",
                                        rangeId,
                                        unknown.members());
                            }
                        },
                        loop);
    }
}
