package io.parterre.key;

/** Id of an account, assigned by the partition manager and never reused. */
public record AccountId(long value) {
    public AccountId {
        if (value <= 0) {
            throw new IllegalArgumentException("accountId: " + value + " (expected: positive)");
        }
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
