package io.parterre.deploy.exercise;

/** Keys of an entity that only one worker writes: letters, digits and dashes. */
record EntityKey(String partitionKey, String rowKey) {
    /** Parses the form of a ledger's line. */
    static EntityKey parse(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1) {
            throw new IllegalArgumentException(text + " (expected: PARTITIONKEY/ROWKEY)");
        }
        return new EntityKey(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public String toString() {
        return partitionKey + "/" + rowKey;
    }
}
