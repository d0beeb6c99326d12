package io.parterre.entity;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The property types of the service. Source: docs/protocol.md 4.1. Tags are part of the stored form
 * and never change.
 */
public enum EdmType {
    STRING("Edm.String", 1),
    BOOLEAN("Edm.Boolean", 2),
    INT32("Edm.Int32", 3),
    INT64("Edm.Int64", 4),
    DOUBLE("Edm.Double", 5),
    DATE_TIME("Edm.DateTime", 6),
    GUID("Edm.Guid", 7),
    BINARY("Edm.Binary", 8);

    private static final EdmType[] BY_TAG = new EdmType[9];
    private static final Map<String, EdmType> BY_WIRE_NAME = new HashMap<>();

    static {
        for (EdmType type : values()) {
            BY_TAG[type.tag] = type;
            BY_WIRE_NAME.put(type.wireName, type);
        }
    }

    private final String wireName;
    private final byte tag;

    EdmType(String wireName, int tag) {
        this.wireName = wireName;
        this.tag = (byte) tag;
    }

    /** The name in {@code odata.type} annotations. */
    public String wireName() {
        return wireName;
    }

    byte tag() {
        return tag;
    }

    static EdmType ofTag(byte tag) {
        if (tag <= 0 || tag >= BY_TAG.length) {
            throw new IllegalArgumentException("type tag: " + tag + " (expected: 1..8)");
        }
        return BY_TAG[tag];
    }

    /** The type with this wire name, case-sensitive. */
    public static Optional<EdmType> ofWireName(String wireName) {
        return Optional.ofNullable(BY_WIRE_NAME.get(wireName));
    }
}
