package io.parterre.manager.map;

import io.parterre.key.AccountId;
import java.util.ArrayList;
import java.util.List;

/**
 * An account of the cluster. Immutable.
 *
 * @param keys one or two, both valid, so that one can be changed while the other is in use
 */
public record ClusterAccount(
        AccountId accountId,
        AccountName name,
        List<StoredKey> keys,
        boolean suspended,
        AccountOrigin origin) {
    public static final int KEYS_MAX = 2;

    public ClusterAccount {
        keys = checkedKeys(keys);
    }

    ClusterAccount withKey(int number, StoredKey key) {
        List<StoredKey> changed = new ArrayList<>(keys);
        if (number > changed.size()) {
            changed.add(key);
        } else {
            changed.set(number - 1, key);
        }
        return new ClusterAccount(accountId, name, changed, suspended, origin);
    }

    /** Returns the account with the same keys in another stored form. */
    public ClusterAccount withKeys(List<? extends StoredKey> same) {
        return new ClusterAccount(accountId, name, List.copyOf(same), suspended, origin);
    }

    ClusterAccount withSuspended(boolean now) {
        return new ClusterAccount(accountId, name, keys, now, origin);
    }

    static List<StoredKey> checkedKeys(List<StoredKey> keys) {
        if (keys.isEmpty() || keys.size() > KEYS_MAX) {
            throw new IllegalArgumentException(
                    "account keys: " + keys.size() + " (expected: 1.." + KEYS_MAX + ")");
        }
        return List.copyOf(keys);
    }
}
