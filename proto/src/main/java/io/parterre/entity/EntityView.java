package io.parterre.entity;

import io.parterre.key.EntityKey;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyText;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A stored entity read in place: key bytes and value bytes, decoded only on access. One view serves
 * a whole scan by {@link #reset}. Not thread-safe; the arrays must not change while the view shows
 * them.
 */
public final class EntityView {
    private byte[] key = new byte[0];
    private int keyLength;
    private byte[] value = new byte[0];
    private int valueLength;

    /** A view of one entity. */
    public static EntityView of(Key key, byte[] value) {
        EntityView view = new EntityView();
        view.reset(key.unsafeBytes(), key.length(), value, value.length);
        return view;
    }

    /**
     * Shows another entity, in the first bytes of two arrays.
     *
     * @throws IllegalArgumentException if the value is of an unknown version
     */
    public void reset(byte[] newKey, int newKeyLength, byte[] newValue, int newValueLength) {
        EntityCodec.checkVersion(newValue, newValueLength);
        this.key = newKey;
        this.keyLength = newKeyLength;
        this.value = newValue;
        this.valueLength = newValueLength;
    }

    public long timestampTicks() {
        return Bytes.longAt(value, 1);
    }

    /** A new cursor over the custom properties. */
    public PropertyCursor properties() {
        return new PropertyCursor(
                value, EntityCodec.HEADER_BYTES, valueLength - EntityCodec.HEADER_BYTES);
    }

    /** Points an existing cursor at this entity's properties. */
    public void properties(PropertyCursor cursor) {
        cursor.reset(value, EntityCodec.HEADER_BYTES, valueLength - EntityCodec.HEADER_BYTES);
    }

    /** The decoded key. */
    public EntityKey entityKey() {
        return KeyCodec.decode(key());
    }

    /** A copy of the key. */
    public Key key() {
        return Key.wrap(Arrays.copyOf(key, keyLength));
    }

    /** Compares the PartitionKey with a text in its key form, see {@link KeyText}. */
    public int comparePartitionKey(byte[] keyText) {
        return Arrays.compareUnsigned(
                key, Scope.LENGTH_BYTES, rowOffset(), keyText, 0, keyText.length);
    }

    /** Compares the RowKey with a text in its key form, see {@link KeyText}. */
    public int compareRowKey(byte[] keyText) {
        return Arrays.compareUnsigned(key, rowOffset(), keyLength, keyText, 0, keyText.length);
    }

    /** Offset of the RowKey in {@link #keyBytes}, in its key form, see {@link KeyText}. */
    public int rowOffset() {
        return KeyText.skip(key, Scope.LENGTH_BYTES);
    }

    /** The array that holds the key, for writers that copy bytes; not to be changed. */
    public byte[] keyBytes() {
        return key;
    }

    /** Length of the key in bytes. */
    public int keyLength() {
        return keyLength;
    }

    /** The entity as an object. */
    public Entity toEntity() {
        List<Property> properties = new ArrayList<>();
        for (PropertyCursor at = properties(); at.next(); ) {
            properties.add(at.property());
        }
        EntityKey keys = entityKey();
        return new Entity(keys.partitionKey(), keys.rowKey(), timestampTicks(), properties);
    }

    /** Appends key and value to a page, see {@link EntityPage}. */
    public void copyTo(ByteSink out) {
        out.writeBlob(key, 0, keyLength);
        out.writeBlob(value, 0, valueLength);
    }

    /** Appends the value's version and timestamp, for projections. */
    void copyHeaderTo(ByteSink out) {
        out.writeBytes(value, 0, EntityCodec.HEADER_BYTES);
    }
}
