package io.parterre.manager.map;

import io.parterre.key.AccountId;
import java.util.ArrayList;
import java.util.List;

/**
 * An account of the cluster.
 *
 * @param keys one or two, both valid, so that one can be changed while the other is in use
 */
public record ClusterAccount(
        AccountId accountId,
        AccountName name,
        List<AccountKey> keys,
        boolean suspended,
        AccountOrigin origin) {
    public static final int KEYS_MAX = 2;

    public ClusterAccount {
        keys = checkedKeys(keys);
    }

    ClusterAccount withKey(int number, AccountKey key) {
        List<AccountKey> changed = new ArrayList<>(keys);
        if (number > changed.size()) {
            changed.add(key);
        } else {
            changed.set(number - 1, key);
        }
        return new ClusterAccount(accountId, name, changed, suspended, origin);
    }

    ClusterAccount withSuspended(boolean now) {
        return new ClusterAccount(accountId, name, keys, now, origin);
    }

    static List<AccountKey> checkedKeys(List<AccountKey> keys) {
        if (keys.isEmpty() || keys.size() > KEYS_MAX) {
            throw new IllegalArgumentException(
                    "account keys: " + keys.size() + " (expected: 1.." + KEYS_MAX + ")");
        }
        return List.copyOf(keys);
    }
}
