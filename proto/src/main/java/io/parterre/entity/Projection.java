package io.parterre.entity;

import java.util.ArrayList;
import java.util.List;

/**
 * The custom properties that a query selects. Applied where the entity is stored, so that the
 * others are never sent. Keys and timestamp always stay, because they identify the entity and its
 * ETag; the front end decides whether a client sees them. Not thread-safe: one per scan.
 */
public final class Projection {
    private final List<byte[]> namesUtf8 = new ArrayList<>();
    private final ByteSink value = new ByteSink(1024);
    private final PropertyCursor cursor = new PropertyCursor(new byte[0], 0, 0);

    public Projection(List<String> names) {
        names.stream().distinct().forEach(name -> namesUtf8.add(TextCodec.encode(name)));
    }

    /** Returns the stored value of the entity with only the selected properties. */
    public byte[] apply(EntityView view) {
        select(view);
        return value.toBytes();
    }

    /** Appends key and projected value to a page, see {@link EntityPage}. */
    public void copyTo(EntityView view, ByteSink page) {
        select(view);
        page.writeBlob(view.keyBytes(), 0, view.keyLength());
        page.writeBlob(value.toBytes());
    }

    private void select(EntityView view) {
        value.clear();
        view.copyHeaderTo(value);
        view.properties(cursor);
        while (cursor.next()) {
            if (selected()) {
                cursor.copyTo(value);
            }
        }
    }

    private boolean selected() {
        for (byte[] name : namesUtf8) {
            if (cursor.nameIs(name)) {
                return true;
            }
        }
        return false;
    }
}
