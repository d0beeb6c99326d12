package io.parterre.manager.plan;

import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand.EnsureAccount;
import java.util.List;
import java.util.Optional;

/** Decides which configured accounts the map still lacks. Stateless; safe for any thread. */
public final class MissingAccounts {
    private MissingAccounts() {}

    /** Those of the wanted accounts that are missing or have other keys. */
    public static List<EnsureAccount> of(ClusterMap map, List<EnsureAccount> wanted) {
        return wanted.stream()
                .filter(
                        account ->
                                !map.account(account.name())
                                        .map(ClusterAccount::keys)
                                        .equals(Optional.of(account.keys())))
                .toList();
    }
}
