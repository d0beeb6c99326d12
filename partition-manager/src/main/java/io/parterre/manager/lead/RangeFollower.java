package io.parterre.manager.lead;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.range.RangeId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes over into the map what ranges' own logs say. Owned by the loop's thread. */
final class RangeFollower {
    private static final Logger LOG = LoggerFactory.getLogger(RangeFollower.class);

    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Executor loop;
    private final Set<RangeId> proposing = new HashSet<>();

    RangeFollower(Function<MapCommand, CompletableFuture<MapOutcome>> propose, Executor loop) {
        this.propose = propose;
        this.loop = loop;
    }

    void follow(MapCommand.UpdateRange update) {
        if (!proposing.add(update.rangeId())) {
            return;
        }
        LOG.info(
                "range has other members rangeId={} generation={} members={}",
                update.rangeId(),
                update.generation(),
                update.members());
        propose.apply(update)
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            proposing.remove(update.rangeId());
                            if (failure != null) {
                                LOG.warn(
                                        "range in doubt, tried again rangeId={} reason={}",
                                        update.rangeId(),
                                        Lead.reason(failure));
                            } else if (outcome instanceof MapOutcome.UnknownMembers unknown) {
                                LOG.error(
                                        "range has members that never reported rangeId={} members={}",
                                        update.rangeId(),
                                        unknown.members());
                            }
                        },
                        loop);
    }
}
