package io.parterre.deploy.exercise;

/** Keys of an entity that one worker alone writes: letters, digits and dashes. */
record EntityKey(String partitionKey, String rowKey) {
    /** As a ledger's line has it. */
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
