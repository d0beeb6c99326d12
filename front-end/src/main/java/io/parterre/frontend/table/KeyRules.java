package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;

/**
 * Rules of PartitionKeys and RowKeys. Source: docs/protocol.md 4.6. Stateless; thread-safe.
 *
 * <p>The same violation has different errors in a body and in an address.
 */
final class KeyRules {
    private KeyRules() {}

    /** Checks a key of an entity to be inserted. */
    static void checkInBody(String name, String key, EntityLimits limits) {
        for (int i = 0; i < key.length(); i++) {
            char unit = key.charAt(i);
            if (isControl(unit) || isReserved(unit) || isHalfOfAPair(key, i)) {
                throw new StorageException(
                        ErrorCode.OUT_OF_RANGE_INPUT,
                        "The '" + name + "' parameter of value '" + key + "' is out of range.");
            }
        }
        checkLength(key, limits);
    }

    /** Checks a key that an address names. */
    static void checkInAddress(String key, EntityLimits limits) {
        for (int i = 0; i < key.length(); i++) {
            if (isControl(key.charAt(i))) {
                throw new StorageException(ErrorCode.OUT_OF_RANGE_INPUT);
            }
            if (isReserved(key.charAt(i))) {
                throw new StorageException(
                        ErrorCode.INVALID_INPUT, "Bad Request - Error in query syntax.");
            }
        }
        checkLength(key, limits);
    }

    private static void checkLength(String key, EntityLimits limits) {
        if (key.length() > limits.keyCharsMax()) {
            throw limits.propertyValueTooLarge();
        }
    }

    private static boolean isControl(char unit) {
        return unit < 0x20 || unit >= 0x7F && unit <= 0x9F;
    }

    /**
     * Returns whether a surrogate lacks its other half. UTF-8 has no form for such a surrogate, so
     * no address could name the entity again; in an address it cannot occur.
     */
    private static boolean isHalfOfAPair(String key, int at) {
        char unit = key.charAt(at);
        if (Character.isHighSurrogate(unit)) {
            return at + 1 == key.length() || !Character.isLowSurrogate(key.charAt(at + 1));
        }
        return Character.isLowSurrogate(unit)
                && (at == 0 || !Character.isHighSurrogate(key.charAt(at - 1)));
    }

    private static boolean isReserved(char unit) {
        return unit == '/' || unit == '\\' || unit == '#' || unit == '?';
    }
}
