package io.parterre.bench.work;

import io.parterre.bench.load.Answer;
import io.parterre.bench.load.ByteText;
import io.parterre.bench.load.RequestWriter;
import io.parterre.bench.load.UnexpectedAnswer;
import io.parterre.bench.load.Work;

/**
 * Two partitions of one table that grow equally, with two designs of their row keys, and reads of
 * the newest entities of each: ascending keys are walked to their end, of descending keys the first
 * ones are read. Immutable.
 */
public record LogTail(String table) {
    private static final long UP = 0;
    private static final long DOWN = 1;
    private static final long KEY_MAX = 9_999_999_999L;
    private static final byte[] HEADERS =
            RequestWriter.headers("Accept", "application/json;odata=minimalmetadata");

    /** Appends to the partition with ascending keys, in batches of a hundred. */
    public Work appendsUp(RowNumbers rows) {
        return new BatchInserts(table, rows, row -> UP, row -> row);
    }

    /** Appends to the partition with descending keys, in batches of a hundred. */
    public Work appendsDown(RowNumbers rows) {
        return new BatchInserts(table, rows, row -> DOWN, row -> KEY_MAX - row);
    }

    /**
     * Reads the newest entities with descending keys, this number of times.
     *
     * @param entities number of existing entities
     */
    public Work newestFirst(long entities, int top, int reads) {
        return new NewestFirst(
                table, top, key(KEY_MAX - (entities - 1)), RowNumbers.between(0, reads));
    }

    /**
     * Walks to the end of ascending keys, this number of times, on one connection.
     *
     * @param entities number of existing entities
     */
    public Work walkToNewest(long entities, int walks) {
        return new Walks(table, entities, walks);
    }

    private static String key(long row) {
        ByteText key = new ByteText(16);
        SampleEntity.putRowKey(row, key);
        return "\"" + key + "\"";
    }

    private static ByteText query(long partition, RequestWriter requests) {
        ByteText query = requests.query().put("$filter=PartitionKey%20eq%20'");
        SampleEntity.putPartitionKey(partition, query);
        return query.put("'");
    }

    private record NewestFirst(String table, int top, String newest, RowNumbers reads)
            implements Work {
        @Override
        public boolean next(int connection, RequestWriter requests, ByteText out) {
            if (reads.left() < 1) {
                return false;
            }
            reads.take(1);
            requests.path().put(table).put("()");
            query(DOWN, requests).put("&$top=").putDecimal(top);
            requests.write("GET", HEADERS, out);
            return true;
        }

        @Override
        public long check(int connection, Answer answer) throws UnexpectedAnswer {
            if (answer.status() != 200) {
                throw UnexpectedAnswer.ofStatus(answer);
            }
            if (answer.count("\"RowKey\":") != top || answer.count(newest) != 1) {
                throw new UnexpectedAnswer("not the newest", answer);
            }
            return top;
        }
    }

    private static final class Walks implements Work {
        private final String table;
        private final long entities;
        private final Continuations continuations = new Continuations(1);
        private long seen;
        private int left;

        Walks(String table, long entities, int walks) {
            this.table = table;
            this.entities = entities;
            this.left = walks;
        }

        @Override
        public boolean next(int connection, RequestWriter requests, ByteText out) {
            if (continuations.atStart(connection) && left-- == 0) {
                return false;
            }
            requests.path().put(table).put("()");
            continuations.putOptions(connection, query(UP, requests));
            requests.write("GET", HEADERS, out);
            return true;
        }

        @Override
        public long check(int connection, Answer answer) throws UnexpectedAnswer {
            if (answer.status() != 200) {
                lost(connection);
                throw UnexpectedAnswer.ofStatus(answer);
            }
            seen += answer.count("\"RowKey\":");
            if (continuations.follow(connection, answer)) {
                return 0;
            }
            boolean whole = seen == entities && answer.count(key(entities - 1)) == 1;
            long found = seen;
            seen = 0;
            if (!whole) {
                throw new UnexpectedAnswer("walk met " + found + " entities", answer);
            }
            return found;
        }

        @Override
        public void lost(int connection) {
            continuations.restart(connection);
            seen = 0;
        }
    }
}
