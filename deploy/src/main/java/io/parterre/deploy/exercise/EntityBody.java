package io.parterre.deploy.exercise;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.OptionalLong;

/** An entity of one version: the properties follow from keys and version, so a mixture shows. */
final class EntityBody {
    private static final ObjectMapper JSON = new ObjectMapper();

    private EntityBody() {}

    /**
     * As JSON.
     *
     * @param characters of the text property
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
     * The version of an entity that was read.
     *
     * @return empty: it is no whole entity of any version of that key
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
