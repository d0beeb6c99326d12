package io.parterre.entity;

/**
 * An entity's size by the service's formula: 4 + 2 * (characters of both keys) + for each custom
 * property 8 + 2 * (characters of its name) + the size of its value. Source: docs/protocol.md 4.7.
 * Stateless; safe for any thread.
 */
public final class EntitySize {
    private EntitySize() {}

    /** Size in bytes of an entity with these keys and this block of properties. */
    public static long ofBlock(String partitionKey, String rowKey, byte[] block) {
        long size = 4 + 2L * (partitionKey.length() + rowKey.length());
        for (PropertyCursor at = new PropertyCursor(block, 0, block.length); at.next(); ) {
            size += 8 + 2L * at.name().length() + valueSize(at);
        }
        return size;
    }

    /** Number of custom properties in a block. */
    public static int propertyCount(byte[] block) {
        int count = 0;
        for (PropertyCursor at = new PropertyCursor(block, 0, block.length); at.next(); ) {
            count++;
        }
        return count;
    }

    private static long valueSize(PropertyCursor at) {
        return switch (at.type()) {
            case STRING -> 2L * at.stringValue().length() + 4;
            case BINARY -> at.valueLength() + 4L;
            case BOOLEAN -> 1;
            case INT32 -> 4;
            case INT64, DOUBLE, DATE_TIME -> 8;
            case GUID -> 16;
        };
    }
}
