package io.parterre.deploy.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Entities as JSON objects of the protocol with minimal metadata: each property, preceded by its
 * type where the value does not show it. Stateless; thread-safe.
 */
final class EntityLines {
    static final String PARTITION_KEY = "PartitionKey";
    static final String ROW_KEY = "RowKey";
    static final String TIMESTAMP = "Timestamp";
    static final String TYPE = "@odata.type";
    private static final ObjectMapper JSON = new ObjectMapper();

    private EntityLines() {}

    static String partitionKey(ObjectNode entity) {
        return entity.path(PARTITION_KEY).textValue();
    }

    static String rowKey(ObjectNode entity) {
        return entity.path(ROW_KEY).textValue();
    }

    /** Returns whether the entity has both keys. */
    static boolean hasKeys(ObjectNode entity) {
        return entity.path(PARTITION_KEY).isTextual() && entity.path(ROW_KEY).isTextual();
    }

    /** Returns the part of the entity's address that follows the table. */
    static String address(ObjectNode entity) {
        return "(PartitionKey='"
                + quoted(partitionKey(entity))
                + "',RowKey='"
                + quoted(rowKey(entity))
                + "')";
    }

    private static String quoted(String key) {
        return TableClient.encode(key.replace("'", "''"));
    }

    /** Returns the entity for a file, without members that only describe an answer. */
    static ObjectNode kept(ObjectNode entity) {
        ObjectNode kept = entity.deepCopy();
        List<String> described = new ArrayList<>();
        kept.fieldNames()
                .forEachRemaining(
                        name -> {
                            if (name.startsWith("odata.")
                                    || name.contains("@odata.") && !name.endsWith(TYPE)) {
                                described.add(name);
                            }
                        });
        return kept.remove(described);
    }

    /**
     * Returns the body of a call that writes the entity, without the timestamp, which the service
     * sets itself.
     */
    static byte[] body(ObjectNode entity) throws JsonProcessingException {
        ObjectNode body = kept(entity);
        body.remove(TIMESTAMP);
        body.remove(TIMESTAMP + TYPE);
        return JSON.writeValueAsBytes(body);
    }

    /** Returns one line without its end. */
    static byte[] line(ObjectNode entity) throws JsonProcessingException {
        return JSON.writeValueAsBytes(kept(entity));
    }
}
