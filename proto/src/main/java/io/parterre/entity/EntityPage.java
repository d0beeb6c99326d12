package io.parterre.entity;

import io.parterre.key.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Rows of a page as one array: {@code (length key length value)*}, lengths as varints. One array a
 * page keeps a thousand rows from becoming thousands of objects on their way to the front end.
 * Stateless; safe for any thread.
 */
public final class EntityPage {
    private EntityPage() {}

    /** Shows each row in order through one reused view. */
    public static void forEach(byte[] page, Consumer<EntityView> reader) {
        EntityView view = new EntityView();
        int[] at = {0};
        while (at[0] < page.length) {
            byte[] key = readBlob(page, at);
            byte[] value = readBlob(page, at);
            view.reset(key, key.length, value, value.length);
            reader.accept(view);
        }
    }

    /** Shows each row's key and value in order: for rows of other spaces, which are no entities. */
    public static void forEachRow(byte[] page, BiConsumer<Key, byte[]> reader) {
        int[] at = {0};
        while (at[0] < page.length) {
            Key key = Key.wrap(readBlob(page, at));
            reader.accept(key, readBlob(page, at));
        }
    }

    /** All rows as entities. */
    public static List<Entity> decode(byte[] page) {
        List<Entity> entities = new ArrayList<>();
        forEach(page, view -> entities.add(view.toEntity()));
        return entities;
    }

    private static byte[] readBlob(byte[] page, int[] at) {
        int length = 0;
        for (int shift = 0; ; shift += 7) {
            if (at[0] >= page.length || shift > 28) {
                throw new IllegalArgumentException("page: malformed length at " + at[0]);
            }
            byte part = page[at[0]++];
            length |= (part & 0x7F) << shift;
            if (part >= 0) {
                break;
            }
        }
        int from = at[0];
        if (length < 0 || length > page.length - from) {
            throw new IllegalArgumentException("page: ends early at " + from);
        }
        at[0] = from + length;
        return Arrays.copyOfRange(page, from, from + length);
    }
}
