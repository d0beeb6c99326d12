package io.parterre.frontend.auth;

import io.parterre.key.AccountId;
import java.util.List;

/**
 * An account as the front end knows it.
 *
 * @param keys one or two secret keys, both valid; never logged
 */
public record Account(AccountId accountId, String name, List<byte[]> keys, boolean suspended) {
    public Account {
        keys = List.copyOf(keys);
    }

    @Override
    public String toString() {
        return "Account[accountId=" + accountId + ", name=" + name + "]";
    }
}
