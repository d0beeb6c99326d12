package io.parterre.key;

import io.parterre.check.Require;

/** Id of an account, assigned by the partition manager and never reused. */
public record AccountId(long value) {
    public AccountId {
        Require.positive("accountId", value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
