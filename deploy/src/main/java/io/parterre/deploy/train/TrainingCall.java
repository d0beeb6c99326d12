package io.parterre.deploy.train;

import java.util.Locale;

/**
 * A request of the training, without its signature. Pure: the same connection and number give the
 * same call. Sixteen successive calls mostly write and read single entities, as clients do, and use
 * each other kind of call once.
 *
 * @param path path below the account, percent-encoded
 * @param query text after the question mark; may be empty
 * @param body may be empty
 */
record TrainingCall(
        String method, String path, String query, String contentType, String more, String body) {
    static final String TABLE = "training";

    /** Number of calls after which their kinds repeat. */
    static final int ROUND = 16;

    /** Number of entities of a batch. */
    static final int BATCH = 10;

    private static final String JSON = "application/json";
    private static final String BOUNDARY = "batch_training";
    private static final String CHANGES = "changeset_training";
    private static final String ANY_ETAG = "If-Match: *\r\n";
    private static final String NO_CONTENT = "Prefer: return-no-content\r\n";

    /** Number of rounds whose entities share a partition. */
    private static final int PARTITION_ROUNDS = 8;

    /** Number of inserts of a round, its first calls. */
    private static final int INSERTS = 6;

    static TrainingCall createTable() {
        return new TrainingCall(
                "POST", "Tables", "", JSON, NO_CONTENT, "{\"TableName\":\"" + TABLE + "\"}");
    }

    /**
     * Returns the call that a connection sends after this many others.
     *
     * @param connection number of the connection, which has its own keys
     */
    static TrainingCall of(int connection, int number) {
        int round = number / ROUND;
        int step = number % ROUND;
        String partition = "c" + connection + "-" + round / PARTITION_ROUNDS;
        if (step < INSERTS) {
            String entity = entity(partition, row(round, step), number);
            return new TrainingCall("POST", TABLE, "", JSON, NO_CONTENT, entity);
        }
        String written = keys(partition, row(round, step % INSERTS));
        return switch (step) {
            case 12 ->
                    new TrainingCall(
                            "MERGE", written, "", JSON, ANY_ETAG, "{\"Count\":" + round + "}");
            case 13 -> batch(partition, round);
            case 14 -> read(TABLE + "()", query(partition, round));
            case 15 -> new TrainingCall("DELETE", written, "", JSON, ANY_ETAG, "");
            default -> read(written, "");
        };
    }

    private static TrainingCall read(String path, String query) {
        return new TrainingCall("GET", path, query, JSON, "", "");
    }

    /**
     * Returns by turns a query of a whole partition, of a range of rows in it, or with a filter on
     * a property.
     */
    private static String query(String partition, int round) {
        String filter = "PartitionKey%20eq%20'" + partition + "'";
        return switch (round % 3) {
            case 0 -> "$filter=" + filter;
            case 1 -> "$filter=" + filter + "%20and%20RowKey%20ge%20'r'&$top=10";
            default -> "$filter=" + filter + "%20and%20Count%20gt%203&$select=Text,Count";
        };
    }

    private static TrainingCall batch(String partition, int round) {
        StringBuilder body = new StringBuilder();
        body.append("--").append(BOUNDARY).append("\r\nContent-Type: multipart/mixed; boundary=");
        body.append(CHANGES).append("\r\n\r\n");
        for (int i = 0; i < BATCH; i++) {
            String rowKey = row(round, ROUND + i);
            body.append("--").append(CHANGES).append("\r\nContent-Type: application/http\r\n");
            body.append("Content-Transfer-Encoding: binary\r\n\r\n");
            body.append("PUT /").append(keys(partition, rowKey)).append(" HTTP/1.1\r\n");
            body.append("Content-Type: application/json\r\n\r\n");
            body.append(entity(partition, rowKey, i)).append("\r\n");
        }
        body.append("--").append(CHANGES).append("--\r\n--").append(BOUNDARY).append("--\r\n");
        return new TrainingCall(
                "POST", "$batch", "", "multipart/mixed; boundary=" + BOUNDARY, "", body.toString());
    }

    private static String row(int round, int step) {
        return String.format(Locale.ROOT, "r%06d-%02d", round, step);
    }

    private static String keys(String partition, String row) {
        return TABLE + "(PartitionKey='" + partition + "',RowKey='" + row + "')";
    }

    /** Returns an entity of seven properties of five types, about a kilobyte. */
    private static String entity(String partition, String row, int number) {
        return "{\"PartitionKey\":\""
                + partition
                + "\",\"RowKey\":\""
                + row
                + "\",\"Count\":"
                + number
                + ",\"Large@odata.type\":\"Edm.Int64\",\"Large\":\""
                + number * 1_000_000_007L
                + "\",\"Share\":0.25,\"Open\":true,\"Made@odata.type\":\"Edm.DateTime\","
                + "\"Made\":\"2024-02-29T12:00:00Z\",\"Text\":\""
                + (row + " ").repeat(64)
                + "\"}";
    }
}
