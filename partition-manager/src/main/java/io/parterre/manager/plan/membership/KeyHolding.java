package io.parterre.manager.plan.membership;

import io.parterre.release.FeatureLevels;
import java.util.List;

/**
 * Which keys a manager can encrypt and decrypt keys of accounts with, by its own word.
 *
 * @param levels that it reads
 * @param keyIds ids of these keys
 */
public record KeyHolding(FeatureLevels levels, List<String> keyIds) {
    public KeyHolding {
        keyIds = List.copyOf(keyIds);
    }
}
