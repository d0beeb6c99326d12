package io.parterre.manager;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.MapCommand.EnsureAccount;
import java.util.List;

/**
 * An account of the configuration. Immutable.
 *
 * @param name 3 to 24 lower-case letters and digits
 * @param keys one or two secrets, both valid; never printed
 */
public record AccountConfig(String name, List<AccountKey> keys) {
    public AccountConfig {
        keys = List.copyOf(keys);
        new EnsureAccount(new AccountName(name), List.copyOf(keys), false);
    }

    EnsureAccount command() {
        return new EnsureAccount(new AccountName(name), List.copyOf(keys), false);
    }
}
