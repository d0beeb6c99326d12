package io.parterre.frontend.table;

import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntitySize;
import io.parterre.entity.Property;
import io.parterre.entity.PropertyCursor;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the bodies of writes. Stateless; thread-safe.
 *
 * <p>If several checks fail, the first of these determines the error: syntax, keys present, names,
 * number of properties, values in order, size of the whole, sizes of values in order, keys. Source:
 * docs/protocol.md 4 and 10.5; the size of the whole comes before that of a value in tests of
 * clients.
 */
public record EntityReader(EntityLimits limits) {
    static final String PARTITION_KEY = "PartitionKey";
    static final String ROW_KEY = "RowKey";

    /**
     * Reads the entity of an insert, whose body contains its keys.
     *
     * @throws StorageException with the code of the first failed check
     */
    public EntityBody readForInsert(byte[] body, int offset, int length) {
        EntityBody entity =
                new PlainEntity(body, offset, length, limits)
                        .read(false)
                        .filter(plain -> plain.partitionKey().isPresent())
                        .filter(plain -> plain.rowKey().isPresent())
                        .orElseGet(() -> readWithKeys(JsonObject.parse(body, offset, length)));
        String partitionKey = entity.partitionKey().orElseThrow();
        String rowKey = entity.rowKey().orElseThrow();
        checkSizes(partitionKey, rowKey, entity.block());
        KeyRules.checkInBody(PARTITION_KEY, partitionKey, limits);
        KeyRules.checkInBody(ROW_KEY, rowKey, limits);
        return entity;
    }

    /**
     * Reads the entity of an update, merge or upsert, whose keys are in the address. Keys in the
     * body must be strings and are ignored, because clients are recorded that repeat them in
     * another encoding. Source: docs/protocol.md 3.9. Properties are sorted in ordinal order, as
     * recorded from the service after such writes; an insert keeps the order of its body.
     *
     * @throws StorageException with the code of the first failed check
     */
    public EntityBody readForUpdate(
            byte[] body, int offset, int length, String partitionKey, String rowKey) {
        EntityBody entity =
                new PlainEntity(body, offset, length, limits)
                        .read(true)
                        .orElseGet(() -> read(JsonObject.parse(body, offset, length), true));
        checkSizes(partitionKey, rowKey, entity.block());
        return entity;
    }

    /**
     * Checks keys that an address names.
     *
     * @throws StorageException {@code OUT_OF_RANGE_INPUT}, {@code INVALID_INPUT}, {@code
     *     PROPERTY_VALUE_TOO_LARGE}
     */
    public void checkKeysInAddress(String partitionKey, String rowKey) {
        KeyRules.checkInAddress(partitionKey, limits);
        KeyRules.checkInAddress(rowKey, limits);
    }

    /**
     * Reads the body of Create Table and returns the checked name.
     *
     * @param charsMin least characters of a name
     * @param charsMax most characters of a name
     * @throws StorageException see {@link TableNames#check}; {@code PROPERTIES_NEED_VALUE}
     */
    public static String readTableName(byte[] body, int charsMin, int charsMax) {
        JsonScalar name =
                JsonObject.parse(body, 0, body.length)
                        .present("TableName")
                        .orElseThrow(() -> new StorageException(ErrorCode.PROPERTIES_NEED_VALUE));
        if (name.kind() != JsonScalar.Kind.STRING) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        TableNames.check(name.text(), charsMin, charsMax);
        return name.text();
    }

    private EntityBody readWithKeys(JsonObject object) {
        if (object.present(PARTITION_KEY).isEmpty() || object.present(ROW_KEY).isEmpty()) {
            throw new StorageException(ErrorCode.PROPERTIES_NEED_VALUE);
        }
        return read(object, false);
    }

    EntityBody read(JsonObject object, boolean sorted) {
        Optional<String> partitionKey = key(object, PARTITION_KEY);
        Optional<String> rowKey = key(object, ROW_KEY);
        int count = 0;
        for (Map.Entry<String, JsonScalar> member : object.members().entrySet()) {
            if (!isKey(member.getKey())) {
                PropertyNames.check(member.getKey(), limits);
                count += member.getValue().kind() == JsonScalar.Kind.NULL ? 0 : 1;
            }
        }
        if (count > limits.propertiesMax()) {
            throw limits.tooManyProperties();
        }
        List<Property> properties = new ArrayList<>(count);
        for (Map.Entry<String, JsonScalar> member : object.members().entrySet()) {
            String name = member.getKey();
            if (!isKey(name) && member.getValue().kind() != JsonScalar.Kind.NULL) {
                EdmValue value = EdmReader.read(name, member.getValue(), object.type(name));
                properties.add(new Property(name, value));
            }
        }
        if (sorted) {
            properties.sort(Comparator.comparing(Property::name));
        }
        return new EntityBody(partitionKey, rowKey, EntityCodec.encodeBlock(properties));
    }

    private static boolean isKey(String name) {
        return name.equals(PARTITION_KEY) || name.equals(ROW_KEY);
    }

    private static Optional<String> key(JsonObject object, String name) {
        Optional<JsonScalar> value = object.present(name);
        boolean isString =
                value.map(scalar -> scalar.kind() == JsonScalar.Kind.STRING).orElse(true)
                        && object.type(name).map("Edm.String"::equals).orElse(true);
        if (!isString) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return value.map(JsonScalar::text);
    }

    private void checkSizes(String partitionKey, String rowKey, byte[] block) {
        checkSize(partitionKey, rowKey, block);
        // No value is longer than the block that contains it.
        if (block.length <= Math.min(limits.stringCharsMax(), limits.binaryBytesMax())) {
            return;
        }
        for (PropertyCursor at = new PropertyCursor(block, 0, block.length); at.next(); ) {
            if (isTooLarge(at)) {
                throw limits.propertyValueTooLarge();
            }
        }
    }

    private boolean isTooLarge(PropertyCursor at) {
        return switch (at.type()) {
            // No text has more code units than bytes, so most texts need not be decoded.
            case STRING ->
                    at.valueLength() > limits.stringCharsMax()
                            && at.stringValue().length() > limits.stringCharsMax();
            case BINARY -> at.valueLength() > limits.binaryBytesMax();
            case BOOLEAN, INT32, INT64, DOUBLE, DATE_TIME, GUID -> false;
        };
    }

    private void checkSize(String partitionKey, String rowKey, byte[] block) {
        // No text has more code units than bytes, and a property's overhead in the formula is at
        // most four times its stored bytes, so small entities need no exact computation.
        if (4L * (block.length + partitionKey.length() + rowKey.length() + 4)
                <= limits.sizeBytesMax()) {
            return;
        }
        if (EntitySize.ofBlock(partitionKey, rowKey, block) > limits.sizeBytesMax()) {
            throw limits.entityTooLarge();
        }
    }
}
