package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Entities as rows of CSV, in the columns of Azure Storage Explorer: the keys, the timestamp, then
 * each property followed by its type. An empty type means that the entity lacks the property.
 * Stateless; thread-safe.
 */
final class CsvText {
    private static final String TYPE_COLUMN = "@type";
    private static final String EDM = "Edm.";
    private static final List<String> SYSTEM =
            List.of(EntityLines.PARTITION_KEY, EntityLines.ROW_KEY, EntityLines.TIMESTAMP);

    private CsvText() {}

    /** Returns the names of an entity's properties, without keys and timestamp. */
    static Set<String> properties(ObjectNode entity) {
        Set<String> names = new TreeSet<>();
        entity.fieldNames()
                .forEachRemaining(
                        name -> {
                            if (!name.contains("@") && !SYSTEM.contains(name)) {
                                names.add(name);
                            }
                        });
        return names;
    }

    /** Returns the first row. */
    static List<String> header(Collection<String> properties) {
        List<String> header = new ArrayList<>(SYSTEM);
        for (String name : properties) {
            header.add(name);
            header.add(name + TYPE_COLUMN);
        }
        return header;
    }

    static List<String> row(ObjectNode entity, Collection<String> properties) {
        List<String> row = new ArrayList<>();
        SYSTEM.forEach(name -> row.add(entity.path(name).asText("")));
        for (String name : properties) {
            JsonNode value = entity.get(name);
            boolean absent = value == null || value.isNull();
            row.add(absent ? "" : value.asText());
            row.add(absent ? "" : type(entity, name, value));
        }
        return row;
    }

    private static String type(ObjectNode entity, String name, JsonNode value) {
        JsonNode told = entity.get(name + EntityLines.TYPE);
        if (told != null) {
            return told.asText().replaceFirst("^Edm\\.", "");
        }
        if (value.isBoolean()) {
            return "Boolean";
        }
        return value.isIntegralNumber() ? "Int32" : value.isNumber() ? "Double" : "String";
    }

    /**
     * Returns the entity of a row.
     *
     * @throws IllegalArgumentException if a value is not of its type
     */
    static ObjectNode entity(List<String> header, List<String> row) {
        ObjectNode entity = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < header.size() && i < row.size(); i++) {
            String name = header.get(i);
            if (name.endsWith(TYPE_COLUMN)) {
                continue;
            }
            if (SYSTEM.contains(name)) {
                entity.put(name, row.get(i));
                continue;
            }
            int typeAt = header.indexOf(name + TYPE_COLUMN);
            boolean typed = typeAt >= 0 && typeAt < row.size();
            // Without a column of types an empty value cannot be distinguished from an absent one.
            if (typed ? !row.get(typeAt).isEmpty() : !row.get(i).isEmpty()) {
                put(entity, name, typed ? row.get(typeAt) : "String", row.get(i));
            }
        }
        return entity;
    }

    private static void put(ObjectNode entity, String name, String type, String value) {
        String edm = type.startsWith(EDM) ? type : EDM + type;
        switch (edm) {
            case "Edm.String" -> entity.put(name, value);
            case "Edm.Int32" -> entity.put(name, Integer.parseInt(value));
            case "Edm.Boolean" -> entity.put(name, bool(name, value));
            case "Edm.Int64", "Edm.DateTime", "Edm.Guid", "Edm.Binary", "Edm.Double" -> {
                entity.put(name + EntityLines.TYPE, edm);
                entity.put(name, value);
            }
            default ->
                    throw new IllegalArgumentException(
                            name
                                    + TYPE_COLUMN
                                    + ": "
                                    + type
                                    + " (expected: a type of the protocol)");
        }
    }

    private static boolean bool(String name, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            name + ": " + value + " (expected: true or false)");
        };
    }
}
