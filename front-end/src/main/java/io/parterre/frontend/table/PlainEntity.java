package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.parterre.entity.BlockBuilder;
import io.parterre.entity.EdmValue;
import io.parterre.error.StorageException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads an entity whose body is a {@link PlainObject} that keeps every rule, as nearly all are.
 * Texts are copied from the body into the block without becoming strings.
 *
 * <p>Any other body is rejected; {@link JsonObject} and {@link EntityReader} then read it and
 * determine the answer. The result for an accepted body is the same as theirs. Sizes of values are
 * checked afterwards. One per body; not thread-safe.
 */
final class PlainEntity {
    private static final byte[] PARTITION_KEY = EntityReader.PARTITION_KEY.getBytes(ISO_8859_1);
    private static final byte[] ROW_KEY = EntityReader.ROW_KEY.getBytes(ISO_8859_1);
    private static final byte[] TIMESTAMP = "Timestamp".getBytes(ISO_8859_1);

    private final byte[] bytes;
    private final PlainObject object;
    private final EntityLimits limits;

    PlainEntity(byte[] bytes, int offset, int length, EntityLimits limits) {
        this.bytes = bytes;
        this.object = new PlainObject(bytes, offset, length);
        this.limits = limits;
    }

    /**
     * Returns the entity; empty if the body is not plain or breaks a rule.
     *
     * @param sorted properties in ordinal order instead of the body's
     */
    Optional<EntityBody> read(boolean sorted) {
        if (!object.read()) {
            return Optional.empty();
        }
        int partitionKey = object.find(PARTITION_KEY);
        int rowKey = object.find(ROW_KEY);
        boolean skips = object.find(TIMESTAMP) != PlainObject.NONE;
        boolean typesKeys =
                object.findType(PARTITION_KEY) != PlainObject.NONE
                        || object.findType(ROW_KEY) != PlainObject.NONE;
        if (skips || typesKeys || !isKey(partitionKey) || !isKey(rowKey)) {
            return Optional.empty();
        }
        int[] properties = new int[object.members()];
        int count = 0;
        for (int i = 0; i < properties.length; i++) {
            boolean custom = !object.isType(i) && i != partitionKey && i != rowKey;
            if (custom && !isPlainName(object.nameFrom(i), object.nameTo(i))) {
                return Optional.empty();
            }
            if (custom && object.kind(i) != JsonScalar.Kind.NULL) {
                properties[count++] = i;
            }
        }
        if (count > limits.propertiesMax()) {
            return Optional.empty();
        }
        if (sorted) {
            sort(properties, count);
        }
        try {
            byte[] block = block(properties, count);
            return Optional.of(new EntityBody(key(partitionKey), key(rowKey), block));
        } catch (StorageException refused) {
            // The other readers may find another error first.
            return Optional.empty();
        }
    }

    /** Returns whether a member may be a key: a string, or absent. */
    private boolean isKey(int member) {
        return member == PlainObject.NONE || object.kind(member) == JsonScalar.Kind.STRING;
    }

    private Optional<String> key(int member) {
        return member == PlainObject.NONE ? Optional.empty() : Optional.of(object.value(member));
    }

    /**
     * Returns whether a name is an ASCII identifier; {@code odata.} names never are, because of the
     * point.
     */
    private boolean isPlainName(int begin, int end) {
        if (begin == end || end - begin > limits.propertyNameCharsMax() || isDigit(bytes[begin])) {
            return false;
        }
        for (int at = begin; at < end; at++) {
            byte next = bytes[at];
            boolean letter = next >= 'a' && next <= 'z' || next >= 'A' && next <= 'Z';
            if (!letter && !isDigit(next) && next != '_') {
                return false;
            }
        }
        return true;
    }

    private static boolean isDigit(byte next) {
        return next >= '0' && next <= '9';
    }

    private void sort(int[] properties, int count) {
        for (int i = 1; i < count; i++) {
            int moving = properties[i];
            int at = i;
            while (at > 0 && isBefore(moving, properties[at - 1])) {
                properties[at] = properties[at - 1];
                at--;
            }
            properties[at] = moving;
        }
    }

    private boolean isBefore(int one, int other) {
        int order =
                Arrays.compare(
                        bytes,
                        object.nameFrom(one),
                        object.nameTo(one),
                        bytes,
                        object.nameFrom(other),
                        object.nameTo(other));
        return order < 0;
    }

    private byte[] block(int[] properties, int count) {
        EdmValue[] values = new EdmValue[count];
        int length = 0;
        for (int i = 0; i < count; i++) {
            int member = properties[i];
            int nameLength = object.nameTo(member) - object.nameFrom(member);
            int type = object.typeOf(member);
            if (type == PlainObject.NONE && object.kind(member) == JsonScalar.Kind.STRING) {
                int textLength = object.valueTo(member) - object.valueFrom(member);
                length += BlockBuilder.textLength(nameLength, textLength);
            } else {
                values[i] = value(member, type);
                length += BlockBuilder.valueLength(nameLength, values[i]);
            }
        }
        BlockBuilder block = new BlockBuilder(bytes, length);
        for (int i = 0; i < count; i++) {
            int nameFrom = object.nameFrom(properties[i]);
            int nameTo = object.nameTo(properties[i]);
            if (values[i] == null) {
                block.addText(
                        nameFrom,
                        nameTo,
                        object.valueFrom(properties[i]),
                        object.valueTo(properties[i]));
            } else {
                block.add(nameFrom, nameTo, values[i]);
            }
        }
        return block.takeBlock();
    }

    private EdmValue value(int member, int type) {
        return EdmReader.read(
                object.name(member),
                new JsonScalar(object.kind(member), object.value(member)),
                type == PlainObject.NONE ? Optional.empty() : Optional.of(object.value(type)));
    }
}
