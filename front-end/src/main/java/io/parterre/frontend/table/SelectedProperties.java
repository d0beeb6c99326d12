package io.parterre.frontend.table;

import io.parterre.entity.EntityView;
import io.parterre.entity.PropertyCursor;
import io.parterre.entity.TextCodec;
import java.util.Arrays;
import java.util.List;

/**
 * The names of a {@code $select}, and where the entity at hand has them. One per answer; not
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

    /** The names of a selection that are no system properties. */
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

    /** Number of custom properties. */
    int count() {
        return names.size();
    }

    String name(int slot) {
        return names.get(slot);
    }

    /** Looks for the properties of another entity, in one pass over it. */
    void locate(EntityView view, PropertyCursor cursor) {
        Arrays.fill(positions, ABSENT);
        view.properties(cursor);
        int guess = 0;
        while (cursor.next()) {
            // Entities of a page are alike: the next property is mostly the next name.
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

    /** Puts the cursor on a property; false if the entity has none of this name. */
    boolean seek(int slot, PropertyCursor cursor) {
        if (positions[slot] == ABSENT) {
            return false;
        }
        cursor.seek(positions[slot]);
        return true;
    }
}
