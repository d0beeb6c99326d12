package io.parterre.manager.map;

import io.parterre.key.AccountId;
import io.parterre.manager.map.MapApply.Applied;
import io.parterre.manager.reason.ReasonCode;
import java.util.Optional;

/**
 * Applies commands about accounts to a map. Deterministic: the same map and command give the same
 * result.
 */
record AccountApply(ClusterMap map) implements Application {
    Applied ensure(MapCommand.EnsureAccount command) {
        Optional<ClusterAccount> known = map.account(command.name());
        if (known.filter(command::isMetBy).isPresent()) {
            return unchanged(new MapOutcome.Ensured(known.get().accountId()));
        }
        return changed(
                new ClusterAccount(
                        known.map(ClusterAccount::accountId).orElseGet(this::nextAccountId),
                        command.name(),
                        command.keys(),
                        command.suspended(),
                        AccountOrigin.CONFIGURED));
    }

    Applied create(MapCommand.CreateAccount command) {
        if (map.account(command.name()).isPresent()) {
            return refused(ReasonCode.ACCOUNT_EXISTS.of(command.name()));
        }
        return changed(
                new ClusterAccount(
                        nextAccountId(),
                        command.name(),
                        command.keys(),
                        false,
                        AccountOrigin.CREATED));
    }

    Applied rotate(MapCommand.RotateKey command) {
        return map.account(command.name())
                .map(known -> changed(known.withKey(command.number(), command.key())))
                .orElseGet(() -> noAccount(command.name()));
    }

    Applied suspend(MapCommand.SuspendAccount command) {
        Optional<ClusterAccount> known = map.account(command.name());
        if (known.isEmpty()) {
            return noAccount(command.name());
        }
        if (known.get().suspended() == command.suspended()) {
            return unchanged(new MapOutcome.Ensured(known.get().accountId()));
        }
        return changed(known.get().withSuspended(command.suspended()));
    }

    Applied encrypt(MapCommand.EncryptKeys command) {
        if (command.decidedAt() != map.version()) {
            return refused(ReasonCode.MAP_CHANGED.of(map.version(), command.decidedAt()));
        }
        return map.account(command.name())
                .map(known -> changed(known.withKeys(command.keys())))
                .orElseGet(() -> noAccount(command.name()));
    }

    private Applied noAccount(AccountName name) {
        return refused(ReasonCode.ACCOUNT_UNKNOWN.of(name));
    }

    private AccountId nextAccountId() {
        return new AccountId(map.nextIds().account());
    }

    private Applied changed(ClusterAccount account) {
        NextIds next =
                map.account(account.name()).isPresent()
                        ? map.nextIds()
                        : map.nextIds().afterAccount();
        ClusterMap after = map.with(account, next);
        return new Applied(
                after,
                new MapOutcome.Ensured(account.accountId()),
                Optional.of(MapDelta.of(after, account)));
    }
}
