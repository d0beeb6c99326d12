package io.parterre.deploy.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Entities as objects of the protocol's JSON with minimal metadata: a property, and before it its
 * type where the value does not show it. Stateless; safe for any thread.
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

    /** Whether both keys are there. */
    static boolean hasKeys(ObjectNode entity) {
        return entity.path(PARTITION_KEY).isTextual() && entity.path(ROW_KEY).isTextual();
    }

    /** The part of its address that follows the table. */
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

    /** One that a file keeps: without what only describes an answer. */
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

    /** Body of a call that writes it: the service gives the time itself. */
    static byte[] body(ObjectNode entity) throws JsonProcessingException {
        ObjectNode body = kept(entity);
        body.remove(TIMESTAMP);
        body.remove(TIMESTAMP + TYPE);
        return JSON.writeValueAsBytes(body);
    }

    /** One line without its end. */
    static byte[] line(ObjectNode entity) throws JsonProcessingException {
        return JSON.writeValueAsBytes(kept(entity));
    }
}
