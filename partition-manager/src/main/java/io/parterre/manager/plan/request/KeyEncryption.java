package io.parterre.manager.plan.request;

import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.EncryptedKey;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides whether keys of accounts are encrypted in what managers keep, and with which key. A
 * manager that cannot decrypt them cannot lead: so the first encryption waits until all have a key,
 * and a key that none of them lacks goes before one that is on its way to them. Immutable; safe for
 * any thread.
 *
 * @param map as the leader has it
 * @param keyIds ids of the leader's keys, the preferred one first
 * @param members all managers
 */
public record KeyEncryption(ClusterMap map, List<String> keyIds, List<Member> members) {
    public KeyEncryption {
        keyIds = List.copyOf(keyIds);
        members = List.copyOf(members);
    }

    /**
     * A manager.
     *
     * @param said empty: it has not answered lately
     */
    public record Member(NodeId nodeId, Optional<KeyHolding> said) {
        private boolean lacks(String keyId) {
            return said.filter(holding -> !holding.keyIds().contains(keyId)).isPresent();
        }
    }

    /** What becomes of keys that are written now. */
    public sealed interface Choice {
        /** They are encrypted with this key. */
        record Encrypt(String keyId) implements Choice {}

        /** They are written in clear, since that is how the others can read them. */
        record Clear(Reason why) implements Choice {}

        /** None is written yet. */
        record Await(Reason why) implements Choice {}
    }

    /** What becomes of keys that are written now. The leader has to have a key. */
    public Choice choice() {
        Optional<String> shared = keyIds.stream().filter(id -> all(not(id))).findFirst();
        if (encrypts(map)) {
            return new Choice.Encrypt(shared.orElse(keyIds.get(0)));
        }
        Optional<Reason> level = level();
        if (level.isPresent()) {
            return new Choice.Clear(level.get());
        }
        if (shared.isEmpty()) {
            return new Choice.Clear(lacking(keyIds.get(0)));
        }
        // Of a silent manager nothing is known before the cluster has a level.
        return map.clusterId().isEmpty() && anySilent()
                ? new Choice.Await(silent())
                : new Choice.Encrypt(shared.get());
    }

    /** Why keys that are written already are not encrypted with the preferred key; empty: go on. */
    public Optional<Reason> rewriteHindrance() {
        String preferred = keyIds.get(0);
        if (level().isPresent()) {
            return level();
        }
        if (members.stream().anyMatch(member -> member.lacks(preferred))) {
            return Optional.of(lacking(preferred));
        }
        return anySilent() ? Optional.of(silent()) : Optional.empty();
    }

    /** Accounts of which a key is in clear, or encrypted with another key than this one. */
    public static List<ClusterAccount> outdated(ClusterMap map, String keyId) {
        return map.accounts().stream()
                .filter(
                        account ->
                                account.keys().stream()
                                        .anyMatch(
                                                key ->
                                                        !(key instanceof EncryptedKey encrypted
                                                                && encrypted
                                                                        .keyId()
                                                                        .equals(keyId))))
                .toList();
    }

    private static boolean encrypts(ClusterMap map) {
        return map.accounts().stream()
                .flatMap(account -> account.keys().stream())
                .anyMatch(EncryptedKey.class::isInstance);
    }

    private static Predicate<Member> not(String keyId) {
        return member -> !member.lacks(keyId);
    }

    private boolean all(Predicate<Member> condition) {
        return members.stream().allMatch(condition);
    }

    private boolean anySilent() {
        return members.stream().anyMatch(member -> member.said().isEmpty());
    }

    /**
     * Only managers read what is encrypted, so before there is a cluster theirs are what counts.
     */
    private Optional<Reason> level() {
        FeatureLevel needed = Feature.ENCRYPTED_ACCOUNT_KEYS.needed();
        if (map.clusterId().isPresent()) {
            return map.featureLevel().has(Feature.ENCRYPTED_ACCOUNT_KEYS)
                    ? Optional.empty()
                    : Optional.of(ReasonCode.ENCRYPTION_NEEDS_LEVEL.of(map.featureLevel(), needed));
        }
        return members.stream()
                .filter(
                        member ->
                                member.said().filter(it -> !it.levels().reads(needed)).isPresent())
                .findFirst()
                .map(member -> ReasonCode.MANAGER_ENCRYPTS_NOTHING.of(member.nodeId()));
    }

    private Reason lacking(String keyId) {
        return ReasonCode.MANAGERS_LACK_KEY.of(
                names(members.stream().filter(member -> member.lacks(keyId)).toList()), keyId);
    }

    private Reason silent() {
        return ReasonCode.MANAGERS_SILENT.of(
                names(members.stream().filter(member -> member.said().isEmpty()).toList()));
    }

    private static String names(List<Member> some) {
        return String.join(", ", some.stream().map(member -> member.nodeId().value()).toList());
    }
}
