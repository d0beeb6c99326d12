package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;

/** Deletes all entities of a dataset, in key order, whatever their ETags. Not thread-safe. */
public final class Deletes {
    private static final String CONDITION = "If-Match: *\r\n";
    private static final byte[] HEADERS =
            RequestWriter.headers(
                    "Accept", "application/json;odata=minimalmetadata", "If-Match", "*");

    private Deletes() {}

    /** Deletes one entity per request. */
    public static Work singly(Dataset dataset) {
        return new Singly(dataset.table(), RowNumbers.between(0, dataset.entities()));
    }

    /** Deletes a hundred entities per request. */
    public static Work inBatches(Dataset dataset) {
        return new InBatches(dataset.table(), RowNumbers.between(0, dataset.entities()));
    }

    /** Deletes the entities with their table, in one request. */
    public static Work withTable(String table) {
        return new TableCall("DELETE", "Tables('" + table + "')", "");
    }

    private record Singly(String table, RowNumbers rows) implements Work {
        @Override
        public boolean next(int connection, RequestWriter requests, ByteText out) {
            if (rows.left() < 1) {
                return false;
            }
            long row = rows.take(1);
            SampleEntity.putKeys(Dataset.partitionOf(row), row, requests.path().put(table));
            requests.write("DELETE", HEADERS, out);
            return true;
        }

        @Override
        public long check(int connection, Answer answer) throws UnexpectedAnswer {
            if (answer.status() != 204) {
                throw UnexpectedAnswer.ofStatus(answer);
            }
            return 1;
        }
    }

    private record InBatches(String table, RowNumbers rows) implements Work {
        @Override
        public boolean next(int connection, RequestWriter requests, ByteText out) {
            if (rows.left() < Dataset.PARTITION_ROWS) {
                return false;
            }
            long first = rows.take(Dataset.PARTITION_ROWS);
            requests.path().put("$batch");
            ByteText body = requests.body();
            BatchText.putStart(body);
            for (long row = first; row < first + Dataset.PARTITION_ROWS; row++) {
                BatchText.putOperationStart(body);
                body.put("DELETE ").put(requests.endpoint().url()).put('/').put(table);
                SampleEntity.putKeys(Dataset.partitionOf(row), row, body);
                body.put(" HTTP/1.1\r\n").put(CONDITION).put("DataServiceVersion: 3.0\r\n\r\n");
            }
            BatchText.putEnd(body);
            requests.write("POST", BatchText.HEADERS, out);
            return true;
        }

        @Override
        public long check(int connection, Answer answer) throws UnexpectedAnswer {
            return BatchText.check(answer);
        }
    }
}
