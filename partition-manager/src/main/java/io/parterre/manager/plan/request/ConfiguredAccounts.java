package io.parterre.manager.plan.request;

import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.AccountOrigin;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand.EnsureAccount;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides how to bring the map's accounts in line with the configuration. An account that is no
 * longer configured is suspended, not removed: its key may be public, as that of the development
 * account is, but its data must not be discarded. Accounts made by operators are not changed.
 * Stateless and thread-safe.
 */
public final class ConfiguredAccounts {
    private ConfiguredAccounts() {}

    /**
     * Returns the missing commands; none if no account is configured.
     *
     * @param wanted the accounts that may be used, with their keys in clear
     * @param decrypted returns an account with its keys decrypted
     */
    public static List<EnsureAccount> missing(
            ClusterMap map, List<EnsureAccount> wanted, UnaryOperator<ClusterAccount> decrypted) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        Set<AccountName> names =
                wanted.stream().map(EnsureAccount::name).collect(Collectors.toUnmodifiableSet());
        Stream<EnsureAccount> unwanted =
                map.accounts().stream()
                        .filter(account -> account.origin() == AccountOrigin.CONFIGURED)
                        .filter(account -> !names.contains(account.name()))
                        .filter(account -> !account.suspended())
                        .map(ConfiguredAccounts::suspend);
        return Stream.concat(wanted.stream(), unwanted)
                .filter(
                        command ->
                                map.account(command.name())
                                        .map(decrypted)
                                        .filter(command::isMetBy)
                                        .isEmpty())
                .toList();
    }

    private static EnsureAccount suspend(ClusterAccount account) {
        return new EnsureAccount(account.name(), account.keys(), true);
    }
}
