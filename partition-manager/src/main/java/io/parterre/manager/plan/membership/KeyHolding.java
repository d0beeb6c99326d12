package io.parterre.manager.plan.membership;

import io.parterre.release.FeatureLevels;
import java.util.List;

/**
 * The encryption keys for accounts' keys that a manager says it holds.
 *
 * @param levels that it reads
 * @param keyIds ids of these encryption keys
 */
public record KeyHolding(FeatureLevels levels, List<String> keyIds) {
    public KeyHolding {
        keyIds = List.copyOf(keyIds);
    }
}
