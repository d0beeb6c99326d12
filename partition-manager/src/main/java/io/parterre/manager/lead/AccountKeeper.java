package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.request.ConfiguredAccounts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the map's accounts as the configuration says. Owned by the loop's thread. */
final class AccountKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(AccountKeeper.class);

    private final Supplier<ClusterMap> map;
    private final List<MapCommand.EnsureAccount> wanted;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Executor loop;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private boolean proposing;

    AccountKeeper(
            Supplier<ClusterMap> map,
            List<MapCommand.EnsureAccount> wanted,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            Executor loop) {
        this.map = map;
        this.wanted = wanted;
        this.propose = propose;
        this.loop = loop;
    }

    /** Completes once the accounts have been as they should be. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    void look() {
        if (proposing) {
            return;
        }
        List<MapCommand.EnsureAccount> missing = ConfiguredAccounts.missing(map.get(), wanted);
        if (missing.isEmpty()) {
            ready.complete(null);
            return;
        }
        proposing = true;
        CompletableFuture.allOf(missing.stream().map(propose).toArray(CompletableFuture[]::new))
                .whenCompleteAsync(
                        (done, failure) -> {
                            proposing = false;
                            if (failure == null) {
                                look();
                            } else {
                                LOG.warn(
                                        "accounts in doubt, tried again reason={}",
                                        LeaderService.reason(failure));
                            }
                        },
                        loop);
    }
}
