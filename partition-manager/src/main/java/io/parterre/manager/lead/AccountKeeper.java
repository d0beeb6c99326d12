package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.request.ConfiguredAccounts;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonText;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the accounts of the map as the configuration says. Confined to the loop's thread. */
final class AccountKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(AccountKeeper.class);

    private final Supplier<ClusterMap> map;
    private final List<MapCommand.EnsureAccount> wanted;
    private final UnaryOperator<ClusterAccount> decrypted;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Executor loop;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private boolean proposing;
    private String doubt = "";

    /**
     * Creates a keeper.
     *
     * @param decrypted returns an account of the map with its keys decrypted
     */
    AccountKeeper(
            Supplier<ClusterMap> map,
            List<MapCommand.EnsureAccount> wanted,
            UnaryOperator<ClusterAccount> decrypted,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            Executor loop) {
        this.map = map;
        this.wanted = wanted;
        this.decrypted = decrypted;
        this.propose = propose;
        this.loop = loop;
    }

    /** Completes once the map has had the accounts of the configuration for the first time. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Fails {@link #ready} because this manager cannot decrypt the keys of the map's accounts. */
    void unreadable(Reason why) {
        ready.completeExceptionally(new IllegalStateException(ReasonText.of(why)));
    }

    void look() {
        if (proposing) {
            return;
        }
        List<MapCommand.EnsureAccount> missing =
                ConfiguredAccounts.missing(map.get(), wanted, decrypted);
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
                                warn(Loop.reason(failure));
                            }
                        },
                        loop);
    }

    /** Logs each reason once, because the keeper tries again with each tick. */
    private void warn(String reason) {
        if (!doubt.equals(reason)) {
            doubt = reason;
            LOG.warn("accounts in doubt, tried again reason={}", reason);
        }
    }
}
