package io.parterre.deploy.exercise;

/**
 * One event of a ledger, in its file: {@code SENT PARTITIONKEY/ROWKEY VERSION}.
 *
 * @param version version last sent for the key
 */
record LedgerLine(Kind kind, EntityKey key, long version) {
    enum Kind {
        SENT,
        ACKNOWLEDGED,
        CLOSED
    }

    private static final int WORDS = 3;

    static LedgerLine parse(String text) {
        String[] words = text.split(" ");
        if (words.length != WORDS) {
            throw new IllegalArgumentException(text + " (expected: KIND KEY VERSION)");
        }
        return new LedgerLine(
                Kind.valueOf(words[0]), EntityKey.parse(words[1]), Long.parseLong(words[2]));
    }

    String text() {
        return kind + " " + key + " " + version;
    }
}
