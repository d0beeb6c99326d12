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
 * Decides whether accounts' keys are encrypted in what managers store, and with which encryption
 * key. A manager that cannot decrypt them cannot lead. So the first encryption waits until all
 * managers have an encryption key, and one that no manager lacks takes precedence over one that is
 * still being distributed. Immutable.
 *
 * @param map as the leader has it
 * @param keyIds ids of the leader's encryption keys, the preferred one first
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
     * @param said its latest answer; empty if it has not answered lately
     */
    public record Member(NodeId nodeId, Optional<KeyHolding> said) {
        private boolean lacks(String keyId) {
            return said.filter(holding -> !holding.keyIds().contains(keyId)).isPresent();
        }
    }

    /** How accounts' keys are written now. */
    public sealed interface Choice {
        /** The keys are encrypted with this encryption key. */
        record Encrypt(String keyId) implements Choice {}

        /** The keys are written in clear, because the other managers can only read them so. */
        record Clear(Reason why) implements Choice {}

        /** No key is written yet. */
        record Await(Reason why) implements Choice {}
    }

    /** Returns how accounts' keys are written now. The leader must hold an encryption key. */
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
        // Without a cluster level, nothing is known about a silent manager.
        return map.clusterId().isEmpty() && anySilent()
                ? new Choice.Await(silent())
                : new Choice.Encrypt(shared.get());
    }

    /**
     * Returns why existing keys are not encrypted with the preferred encryption key yet; empty if
     * nothing prevents it.
     */
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

    /**
     * Returns the accounts with a key in clear, or encrypted with another encryption key than this
     * one.
     */
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
     * Only managers read encrypted keys, so before the cluster exists the managers' levels count.
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
