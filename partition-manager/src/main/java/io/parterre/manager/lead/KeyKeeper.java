package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.EncryptedKey;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.plan.request.KeyEncryption;
import io.parterre.manager.raft.MapGroup;
import io.parterre.manager.raft.ProposalException;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.manager.reason.ReasonText;
import io.parterre.manager.secret.KeyRing;
import io.parterre.manager.secret.KeyedCommand;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevels;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts keys of accounts before they enter the log, and those that the map holds in clear or
 * under an older encryption key. While this manager lacks an encryption key that the map's accounts
 * need, it transfers leadership to a manager that has it. Confined to the loop's thread, except
 * {@link #unreadable}.
 */
final class KeyKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(KeyKeeper.class);

    /** Pause between two surveys of the managers while one of them prevents encryption. */
    private static final Duration SURVEY_PERIOD = Duration.ofSeconds(5);

    private static final Duration HAND_OVER_PERIOD = Duration.ofSeconds(10);
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(2);

    /** The map whose accounts were checked last, and the result. */
    private record Judged(ClusterMap map, Optional<Reason> unreadable) {}

    private final KeyRing ring;
    private final MapGroup group;
    private final NodeId self;
    private final Supplier<CompletableFuture<Map<NodeId, KeyHolding>>> others;
    private final Supplier<Optional<ManagersView>> managers;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final InstantSource clock;
    private final Executor loop;
    private volatile Judged judged = new Judged(ClusterMap.EMPTY, Optional.empty());
    private Optional<Reason> hindrance = Optional.empty();
    private Optional<Reason> warnedOf = Optional.empty();
    private Instant nextSurvey = Instant.MIN;
    private Instant nextHandOver = Instant.MIN;
    private boolean rewriting;

    /**
     * Creates a keeper.
     *
     * @param others asks the other managers which encryption keys they have
     * @param propose proposes a command to the group unchanged
     */
    KeyKeeper(
            KeyRing ring,
            MapGroup group,
            NodeId self,
            Supplier<CompletableFuture<Map<NodeId, KeyHolding>>> others,
            Supplier<Optional<ManagersView>> managers,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            InstantSource clock,
            Executor loop) {
        this.ring = ring;
        this.group = group;
        this.self = self;
        this.others = others;
        this.managers = managers;
        this.propose = propose;
        this.clock = clock;
        this.loop = loop;
    }

    /** Forgets what was found out in an earlier term of leadership. */
    void clear() {
        hindrance = Optional.empty();
        warnedOf = Optional.empty();
        nextSurvey = Instant.MIN;
        nextHandOver = Instant.MIN;
    }

    /**
     * Returns the reason why this manager cannot decrypt the accounts' keys; empty if it can.
     * Thread-safe.
     */
    Optional<Reason> unreadable(ClusterMap map) {
        Judged known = judged;
        // Cached because each call asks, while accounts stay the same for days.
        Optional<Reason> unreadable =
                map.hasAccountsOf(known.map())
                        ? known.unreadable()
                        : ring.unreadable(map.accounts());
        judged = new Judged(map, unreadable);
        return unreadable;
    }

    /** Returns the account with its keys decrypted. */
    ClusterAccount decrypted(ClusterAccount account) {
        return ring.decrypted(account);
    }

    /** Returns the id of the encryption key for accounts' keys; empty if they are kept in clear. */
    Optional<String> preferred() {
        return ring.ids().stream().findFirst();
    }

    /**
     * Returns why accounts' keys are not yet encrypted with {@link #preferred}; empty if nothing
     * prevents it.
     */
    Optional<Reason> hindrance() {
        return hindrance;
    }

    /**
     * Returns the command in the form in which it may enter the log. Fails with {@link
     * ProposalException} while it is undecided whether keys may be encrypted.
     */
    CompletableFuture<MapCommand> guarded(MapCommand command) {
        if (ring.isEmpty() || !KeyedCommand.holdsClearKey(command)) {
            return CompletableFuture.completedFuture(command);
        }
        return survey().thenApplyAsync(survey -> guarded(command, survey.choice()), loop);
    }

    private MapCommand guarded(MapCommand command, KeyEncryption.Choice choice) {
        if (choice instanceof KeyEncryption.Choice.Encrypt encrypt) {
            return KeyedCommand.encrypted(command, ring, encrypt.keyId());
        }
        if (choice instanceof KeyEncryption.Choice.Await await) {
            throw new CompletionException(
                    new ProposalException(
                            "account keys are not encrypted yet: " + ReasonText.of(await.why())));
        }
        warn(((KeyEncryption.Choice.Clear) choice).why());
        return command;
    }

    private void warn(Reason why) {
        if (!warnedOf.equals(Optional.of(why))) {
            warnedOf = Optional.of(why);
            LOG.warn("account keys are kept in clear for now reason={}", ReasonText.of(why));
        }
    }

    private CompletableFuture<KeyEncryption> survey() {
        return others.get().thenApplyAsync(this::survey, loop);
    }

    private KeyEncryption survey(Map<NodeId, KeyHolding> heard) {
        List<KeyEncryption.Member> members = new ArrayList<>();
        for (NodeId manager : managers.get().map(ManagersView::all).orElse(Set.of(self))) {
            members.add(
                    new KeyEncryption.Member(
                            manager,
                            manager.equals(self)
                                    ? Optional.of(
                                            new KeyHolding(FeatureLevels.OF_RELEASE, ring.ids()))
                                    : Optional.ofNullable(heard.get(manager))));
        }
        return new KeyEncryption(group.map(), ring.ids(), members);
    }

    /**
     * Encrypts what has to be encrypted, or transfers leadership if this manager cannot decrypt.
     */
    void look() {
        Optional<Reason> unreadable = unreadable(group.map());
        if (unreadable.isPresent()) {
            handOver(unreadable.get());
            return;
        }
        if (ring.isEmpty() || rewriting) {
            return;
        }
        if (KeyEncryption.outdated(group.map(), ring.ids().get(0)).isEmpty()) {
            hindrance = Optional.empty();
            return;
        }
        if (clock.instant().isBefore(nextSurvey)) {
            return;
        }
        nextSurvey = clock.instant().plus(SURVEY_PERIOD);
        rewriting = true;
        survey().whenCompleteAsync(
                        (survey, failure) -> {
                            if (failure != null) {
                                ended(failure);
                                return;
                            }
                            hindrance = survey.rewriteHindrance();
                            hindrance.ifPresent(this::warn);
                            if (hindrance.isPresent()) {
                                rewriting = false;
                            } else {
                                rewriteNext();
                            }
                        },
                        loop);
    }

    /**
     * Encrypts one account after the other, because each command names the map version that the one
     * before has left.
     */
    private void rewriteNext() {
        String keyId = ring.ids().get(0);
        ClusterMap map = group.map();
        Optional<ClusterAccount> next =
                KeyEncryption.outdated(map, keyId).stream()
                        .findFirst()
                        .filter(account -> unreadable(map).isEmpty());
        if (next.isEmpty()) {
            rewriting = false;
            return;
        }
        MapCommand command =
                new MapCommand.EncryptKeys(
                        next.get().name(), map.version(), ring.encrypted(keyId, next.get()));
        Reason why = ReasonCode.KEYS_ARE_ENCRYPTED.of(next.get().name(), keyId);
        propose.apply(JournalNotes.noted(command, JournalEntry.Kind.DECIDED, clock.instant(), why))
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            if (failure != null) {
                                ended(failure);
                            } else if (outcome instanceof MapOutcome.Refused) {
                                // The map has changed meanwhile. The next tick begins again.
                                rewriting = false;
                                nextSurvey = Instant.MIN;
                            } else {
                                rewriteNext();
                            }
                        },
                        loop);
    }

    private void ended(Throwable failure) {
        rewriting = false;
        LOG.warn(
                "encryption of account keys in doubt, tried again reason={}", Loop.reason(failure));
    }

    /**
     * Transfers leadership to a manager that holds all encryption keys in use. Without such a
     * manager this one keeps leadership, but serves no accounts.
     */
    private void handOver(Reason why) {
        if (clock.instant().isBefore(nextHandOver)) {
            return;
        }
        nextHandOver = clock.instant().plus(HAND_OVER_PERIOD);
        LOG.error(
                "this manager cannot serve accounts, front ends get no map from it reason={}",
                ReasonText.of(why));
        Set<String> needed = keyIds(group.map());
        others.get()
                .thenAcceptAsync(
                        heard ->
                                heard.entrySet().stream()
                                        .filter(each -> holds(each.getValue(), needed))
                                        .map(Map.Entry::getKey)
                                        .findFirst()
                                        .ifPresent(
                                                to ->
                                                        group.transferLeadership(
                                                                to, HAND_OVER_TIMEOUT)),
                        loop)
                .exceptionally(
                        failure -> {
                            LOG.warn(
                                    "leadership not handed over, tried again reason={}",
                                    Loop.reason(failure));
                            return null;
                        });
    }

    private static boolean holds(KeyHolding holding, Set<String> needed) {
        return holding.keyIds().containsAll(needed);
    }

    private static Set<String> keyIds(ClusterMap map) {
        return map.accounts().stream()
                .flatMap(account -> account.keys().stream())
                .filter(EncryptedKey.class::isInstance)
                .map(key -> ((EncryptedKey) key).keyId())
                .collect(Collectors.toSet());
    }
}
