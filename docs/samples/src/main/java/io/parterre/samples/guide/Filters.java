package io.parterre.samples.guide;

/** Texts of filters. A quote within a literal is written twice. */
final class Filters {
    private Filters() {}

    static String partition(String key) {
        return "PartitionKey eq " + literal(key);
    }

    /** Row keys from one, inclusive, to another, exclusive. */
    static String rows(String from, String toExclusive) {
        return "RowKey ge " + literal(from) + " and RowKey lt " + literal(toExclusive);
    }

    /** Row keys that begin so: up to the text whose last character is the next one. */
    static String rowsWithPrefix(String prefix) {
        int last = prefix.length() - 1;
        return rows(prefix, prefix.substring(0, last) + (char) (prefix.charAt(last) + 1));
    }

    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
