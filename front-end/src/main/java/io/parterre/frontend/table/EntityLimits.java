package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.config.Problems;

/**
 * Limits of the size of an entity. Source: docs/protocol.md 4.3, 4.6 and 4.7.
 *
 * <p>Stored entities stay readable when a limit is lowered. No limit can be raised beyond what
 * partition servers carry in one log entry.
 *
 * @param sizeBytesMax most bytes by {@link io.parterre.entity.EntitySize}
 * @param propertiesMax most custom properties
 * @param propertyNameCharsMax most UTF-16 code units of a property's name
 * @param keyCharsMax most UTF-16 code units of each key
 * @param stringCharsMax most UTF-16 code units of a String property
 * @param binaryBytesMax most bytes of a Binary property, decoded
 */
public record EntityLimits(
        int sizeBytesMax,
        int propertiesMax,
        int propertyNameCharsMax,
        int keyCharsMax,
        int stringCharsMax,
        int binaryBytesMax) {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    /** The limits of the service. */
    public static final EntityLimits OF_THE_SERVICE =
            new EntityLimits(MIB, 252, PropertyNames.CHARS_MAX, KIB, 32 * KIB, 64 * KIB);

    public EntityLimits {
        new Problems()
                .range("sizeBytesMax", sizeBytesMax, 1, 4 * MIB)
                .range("propertiesMax", propertiesMax, 1, 10_000)
                .range("propertyNameCharsMax", propertyNameCharsMax, 1, PropertyNames.CHARS_MAX)
                .range("keyCharsMax", keyCharsMax, 1, KIB)
                .range("stringCharsMax", stringCharsMax, 1, 2 * MIB)
                .range("binaryBytesMax", binaryBytesMax, 1, 4 * MIB)
                .refuseIfAny();
    }

    /** Returns {@code ENTITY_TOO_LARGE} with the limit in force; likewise the following methods. */
    public StorageException entityTooLarge() {
        return new StorageException(
                ErrorCode.ENTITY_TOO_LARGE,
                "The entity is larger than the maximum allowed size (" + size(sizeBytesMax) + ").");
    }

    public StorageException tooManyProperties() {
        return new StorageException(
                ErrorCode.TOO_MANY_PROPERTIES,
                ("The entity contains more properties than allowed. Each entity can include up to %s"
                                + " properties to store data. Each entity also has 3 system"
                                + " properties.")
                        .formatted(propertiesMax));
    }

    StorageException propertyNameTooLong() {
        return new StorageException(
                ErrorCode.PROPERTY_NAME_TOO_LONG,
                "The property name exceeds the maximum allowed length (%s)."
                        .formatted(propertyNameCharsMax));
    }

    /** Also returned for keys that are too long; docs/protocol.md 4.6. */
    StorageException propertyValueTooLarge() {
        return new StorageException(
                ErrorCode.PROPERTY_VALUE_TOO_LARGE,
                "The property value exceeds the maximum allowed size ("
                        + size(binaryBytesMax)
                        + "). If the property value is a string, it is UTF-16 encoded and the"
                        + " maximum number of characters should be "
                        + (stringCharsMax % KIB == 0 ? stringCharsMax / KIB + "K" : stringCharsMax)
                        + " or less.");
    }

    private static String size(int bytes) {
        if (bytes % MIB == 0) {
            return bytes / MIB + "MB";
        }
        return bytes % KIB == 0 ? bytes / KIB + "KB" : bytes + "B";
    }
}
