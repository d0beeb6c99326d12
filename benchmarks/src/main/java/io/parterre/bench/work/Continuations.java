package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;

/** The position of each connection's walk through a table. Not thread-safe. */
final class Continuations {
    private final String[] partitionKeys;
    private final String[] rowKeys;

    Continuations(int connections) {
        this.partitionKeys = new String[connections];
        this.rowKeys = new String[connections];
        for (int connection = 0; connection < connections; connection++) {
            restart(connection);
        }
    }

    void restart(int connection) {
        partitionKeys[connection] = "";
        rowKeys[connection] = "";
    }

    boolean atStart(int connection) {
        return partitionKeys[connection].isEmpty();
    }

    /**
     * Continues after the answer; returns false if the page was the last and the next is the first.
     */
    boolean follow(int connection, Answer answer) {
        partitionKeys[connection] = answer.nextPartitionKey();
        rowKeys[connection] = answer.nextRowKey();
        return !atStart(connection);
    }

    /** Appends the query options of the next page; nothing at the start. */
    void putOptions(int connection, ByteText query) {
        if (atStart(connection)) {
            return;
        }
        query.put("&NextPartitionKey=");
        putEncoded(partitionKeys[connection], query);
        if (!rowKeys[connection].isEmpty()) {
            query.put("&NextRowKey=");
            putEncoded(rowKeys[connection], query);
        }
    }

    private static void putEncoded(String token, ByteText query) {
        for (int i = 0; i < token.length(); i++) {
            char unit = token.charAt(i);
            if (Character.isLetterOrDigit(unit) || "-._~".indexOf(unit) >= 0) {
                query.put(unit);
            } else {
                query.put('%').put(hex(unit >> 4)).put(hex(unit));
            }
        }
    }

    private static char hex(int digit) {
        return "0123456789ABCDEF".charAt(digit & 0xF);
    }
}
