package io.parterre.chaos.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The JSON of an entity: a value that grows with each change, and a text derived from the value, so
 * that an entity mixed from two versions is detected.
 */
final class EntityText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int TEXT_CHARS_MIN = 50;
    private static final int TEXT_CHARS_SPREAD = 900;

    private EntityText() {}

    static String write(EntityId id, long value) {
        ObjectNode entity = JSON.createObjectNode();
        entity.put("PartitionKey", id.partition());
        entity.put("RowKey", id.row());
        entity.put("Value@odata.type", "Edm.Int64");
        entity.put("Value", Long.toString(value));
        entity.put("Text", textOf(value));
        return entity.toString();
    }

    static List<StoredEntity> readPage(byte[] body) throws IOException {
        List<StoredEntity> entities = new ArrayList<>();
        for (JsonNode entity : JSON.readTree(body).path("value")) {
            entities.add(read(entity));
        }
        return entities;
    }

    static StoredEntity readOne(byte[] body) throws IOException {
        return read(JSON.readTree(body));
    }

    private static StoredEntity read(JsonNode entity) {
        long value = entity.path("Value").asLong(Long.MIN_VALUE);
        return new StoredEntity(
                new EntityId(entity.path("PartitionKey").asText(), entity.path("RowKey").asText()),
                value,
                textOf(value).equals(entity.path("Text").asText()),
                entity.path("odata.etag").asText(),
                Instant.parse(entity.path("Timestamp").asText()));
    }

    private static String textOf(long value) {
        int length = TEXT_CHARS_MIN + Math.floorMod(value * 31, TEXT_CHARS_SPREAD);
        String number = Long.toString(value) + " ";
        return number.repeat(length / number.length() + 1);
    }
}
