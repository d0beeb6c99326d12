package io.parterre.chaos.client;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One HTTP request of a change, before it is signed.
 *
 * @param path relative to the account's endpoint, with its leading slash, escaped
 * @param body empty if there is none
 */
record Call(String method, String path, Map<String, String> headers, String body) {
    private static final String JSON = "application/json";

    static Call of(String table, Write write, Change change) {
        EntityId id = write.idOf(change);
        if (change instanceof Change.Insert insert) {
            return insert(table, EntityText.write(id, insert.value()));
        }
        if (change instanceof Change.Update update) {
            return new Call(
                    update.merge() ? "PATCH" : "PUT",
                    entityPath(table, id),
                    headers("If-Match", update.ifMatch()),
                    EntityText.write(id, update.value()));
        }
        Change.Delete delete = (Change.Delete) change;
        Map<String, String> headers = headers("If-Match", delete.ifMatch());
        headers.remove("Content-Type");
        return new Call("DELETE", entityPath(table, id), headers, "");
    }

    /** Returns a call that inserts an entity. */
    static Call insert(String table, String entity) {
        return new Call("POST", "/" + table, headers("Prefer", "return-no-content"), entity);
    }

    /**
     * Returns a call that sets these properties of an entity, whatever its version, and leaves the
     * others.
     */
    static Call merge(String table, EntityId id, String properties) {
        return new Call("PATCH", entityPath(table, id), headers("If-Match", "*"), properties);
    }

    static String entityPath(String table, EntityId id) {
        return "/"
                + table
                + "(PartitionKey=%27"
                + id.partition()
                + "%27,RowKey=%27"
                + id.row()
                + "%27)";
    }

    private static Map<String, String> headers(String name, String value) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", JSON);
        headers.put("Accept", JSON + ";odata=minimalmetadata");
        headers.put(name, value);
        return headers;
    }
}
