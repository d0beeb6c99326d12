package io.parterre.chaos.client;

import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A partition of a hundred entities that are nearly as large as allowed, and a small batch with a
 * large effect: it sets a number in each of them. Thread-safe.
 */
public record LargeEntities(String table, String partition) {
    private static final int ENTITIES = 100;

    /** The longest allowed property, and as many of them as fit into an entity. */
    private static final int PROPERTY_BYTES = 64 << 10;

    private static final int PROPERTIES = 15;

    /** Inserts the entities, each by its own call; throws if a call is not acknowledged. */
    public void insert(TableConnection connection) {
        for (int row = 0; row < ENTITIES; row++) {
            Answer answer = connection.alone(Call.insert(table, entity(row)));
            if (!(answer instanceof Answer.Acknowledged)) {
                throw new IllegalStateException(id(row) + " was not inserted: " + answer);
            }
        }
    }

    /** Sets a number in all of them, by one batch. */
    public Answer mergeAll(TableConnection connection, long value) {
        String properties = "{\"Value@odata.type\":\"Edm.Int64\",\"Value\":\"" + value + "\"}";
        return connection.together(
                IntStream.range(0, ENTITIES)
                        .mapToObj(row -> Call.merge(table, id(row), properties))
                        .toList());
    }

    /**
     * Returns the number in each of them. Reads them one by one, because a query's page would hold
     * only a few.
     */
    public List<Long> values(TableConnection connection) {
        return IntStream.range(0, ENTITIES)
                .mapToObj(row -> connection.read(table, id(row)).orElseThrow().value())
                .toList();
    }

    private EntityId id(int row) {
        return new EntityId(partition, String.format(Locale.ROOT, "r%03d", row));
    }

    /** Returns an entity of bytes that cannot be compressed. */
    private String entity(int row) {
        Random random = new Random(row);
        byte[] bytes = new byte[PROPERTY_BYTES];
        StringBuilder entity = new StringBuilder(PROPERTIES * PROPERTY_BYTES * 3 / 2);
        entity.append("{\"PartitionKey\":\"").append(partition);
        entity.append("\",\"RowKey\":\"").append(id(row).row()).append('"');
        for (int i = 0; i < PROPERTIES; i++) {
            random.nextBytes(bytes);
            entity.append(",\"P").append(i).append("@odata.type\":\"Edm.Binary\",\"P").append(i);
            entity.append("\":\"").append(Base64.getEncoder().encodeToString(bytes)).append('"');
        }
        return entity.append('}').toString();
    }
}
