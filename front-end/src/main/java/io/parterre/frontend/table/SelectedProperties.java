package io.parterre.frontend.table;

import io.parterre.entity.EntityView;
import io.parterre.entity.PropertyCursor;
import io.parterre.entity.TextCodec;
import java.util.Arrays;
import java.util.List;

/**
 * The names in a {@code $select}, and their positions in the current entity. One per answer; not
 * thread-safe.
 */
public final class SelectedProperties {
    private static final int ABSENT = -1;

    private final boolean partitionKey;
    private final boolean rowKey;
    private final boolean timestamp;
    private final List<String> names;
    private final List<byte[]> namesUtf8;
    private final int[] positions;

    SelectedProperties(List<String> select) {
        this.partitionKey = select.contains("PartitionKey");
        this.rowKey = select.contains("RowKey");
        this.timestamp = select.contains("Timestamp");
        this.names = customNames(select);
        this.namesUtf8 = names.stream().map(TextCodec::encode).toList();
        this.positions = new int[names.size()];
    }

    /** Returns the names in a selection except those of system properties. */
    public static List<String> customNames(List<String> select) {
        return select.stream()
                .filter(
                        name ->
                                !name.equals("PartitionKey")
                                        && !name.equals("RowKey")
                                        && !name.equals("Timestamp"))
                .toList();
    }

    boolean partitionKey() {
        return partitionKey;
    }

    boolean rowKey() {
        return rowKey;
    }

    boolean timestamp() {
        return timestamp;
    }

    /** Returns the number of custom properties. */
    int count() {
        return names.size();
    }

    String name(int slot) {
        return names.get(slot);
    }

    /** Finds the properties in another entity, in one pass over it. */
    void locate(EntityView view, PropertyCursor cursor) {
        Arrays.fill(positions, ABSENT);
        view.properties(cursor);
        int guess = 0;
        while (cursor.next()) {
            // Entities of a page are alike, so the next property mostly has the next name.
            for (int i = 0; i < positions.length; i++) {
                int slot = (guess + i) % positions.length;
                if (cursor.nameIs(namesUtf8.get(slot))) {
                    positions[slot] = cursor.position();
                    guess = slot + 1;
                    break;
                }
            }
        }
    }

    /**
     * Moves the cursor to a property.
     *
     * @return false if the entity has no property of this name
     */
    boolean seek(int slot, PropertyCursor cursor) {
        if (positions[slot] == ABSENT) {
            return false;
        }
        cursor.seek(positions[slot]);
        return true;
    }
}
