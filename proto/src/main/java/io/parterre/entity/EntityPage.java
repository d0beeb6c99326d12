package io.parterre.entity;

import io.parterre.key.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Rows of a page as one array: {@code (length key length value)*}, lengths as varints. One array
 * per page avoids a thousand objects for a thousand rows on their way to the front end. Stateless;
 * safe for any thread.
 */
public final class EntityPage {
    private EntityPage() {}

    /** Passes each row in order through one reused view over reused arrays. */
    public static void forEach(byte[] page, Consumer<EntityView> reader) {
        EntityView view = new EntityView();
        byte[] key = new byte[256];
        byte[] value = new byte[4096];
        int[] at = {0};
        while (at[0] < page.length) {
            int keyLength = readLength(page, at);
            key = copied(page, at, keyLength, key);
            int valueLength = readLength(page, at);
            value = copied(page, at, valueLength, value);
            view.reset(key, keyLength, value, valueLength);
            reader.accept(view);
        }
    }

    /** Copies into the array, or into a larger one in its place. */
    private static byte[] copied(byte[] page, int[] at, int length, byte[] into) {
        byte[] target = length <= into.length ? into : new byte[2 * length];
        System.arraycopy(page, at[0], target, 0, length);
        at[0] += length;
        return target;
    }

    /**
     * Passes each row's key and value in order, for rows of other key spaces, which are no
     * entities.
     */
    public static void forEachRow(byte[] page, BiConsumer<Key, byte[]> reader) {
        int[] at = {0};
        while (at[0] < page.length) {
            Key key = Key.wrap(readBlob(page, at));
            reader.accept(key, readBlob(page, at));
        }
    }

    /** Returns the number of rows. */
    public static int count(byte[] page) {
        int[] at = {0};
        int count = 0;
        while (at[0] < page.length) {
            skip(page, at);
            skip(page, at);
            count++;
        }
        return count;
    }

    /** Returns all rows as entities. */
    public static List<Entity> decode(byte[] page) {
        List<Entity> entities = new ArrayList<>();
        forEach(page, view -> entities.add(view.toEntity()));
        return entities;
    }

    private static byte[] readBlob(byte[] page, int[] at) {
        int length = readLength(page, at);
        int from = at[0];
        at[0] = from + length;
        return Arrays.copyOfRange(page, from, from + length);
    }

    /** Needs two statements: {@code +=} would use the position from before the length was read. */
    private static void skip(byte[] page, int[] at) {
        int length = readLength(page, at);
        at[0] += length;
    }

    /** Reads a length, and checks that so many bytes follow in the page. */
    private static int readLength(byte[] page, int[] at) {
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
        if (length < 0 || length > page.length - at[0]) {
            throw new IllegalArgumentException("page: ends early at " + at[0]);
        }
        return length;
    }
}
