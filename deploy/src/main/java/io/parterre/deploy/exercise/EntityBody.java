package io.parterre.deploy.exercise;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.OptionalLong;

/**
 * The body of an entity at one version: keys and version determine the properties, so a mixture of
 * versions is detected.
 */
final class EntityBody {
    private static final ObjectMapper JSON = new ObjectMapper();

    private EntityBody() {}

    /**
     * Returns the body as JSON.
     *
     * @param characters length of the text property
     */
    static String of(EntityKey key, long version, int characters) {
        return JSON.createObjectNode()
                .put("PartitionKey", key.partitionKey())
                .put("RowKey", key.rowKey())
                .put("Version", Long.toString(version))
                .put("Text", text(key, version, characters))
                .toString();
    }

    /**
     * Returns the version of an entity that was read.
     *
     * @return empty if the body is not a complete entity of any version of this key
     */
    static OptionalLong version(EntityKey key, String body) {
        try {
            JsonNode entity = JSON.readTree(body);
            long version = Long.parseLong(entity.path("Version").asText());
            String text = entity.path("Text").asText();
            boolean whole =
                    entity.path("PartitionKey").asText().equals(key.partitionKey())
                            && entity.path("RowKey").asText().equals(key.rowKey())
                            && text.equals(text(key, version, text.length()));
            return whole ? OptionalLong.of(version) : OptionalLong.empty();
        } catch (JsonProcessingException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static String text(EntityKey key, long version, int characters) {
        String unit = key + "=" + version + " ";
        return unit.repeat(characters / unit.length() + 1).substring(0, characters);
    }
}
