package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;

/**
 * Rules of property names: a C# identifier of at most 255 characters. Also used for the identifiers
 * of filters. Source: docs/protocol.md 4.3. Stateless; thread-safe.
 */
final class PropertyNames {
    /** The limit of the service; no configuration permits more. */
    static final int CHARS_MAX = 255;

    private PropertyNames() {}

    static void check(String name, EntityLimits limits) {
        if (name.length() > limits.propertyNameCharsMax()) {
            throw limits.propertyNameTooLong();
        }
        boolean valid = !name.isEmpty() && isStart(name.codePointAt(0));
        for (int at = 0; valid && at < name.length(); ) {
            int point = name.codePointAt(at);
            valid = isPart(point);
            at += Character.charCount(point);
        }
        if (!valid) {
            throw new StorageException(ErrorCode.PROPERTY_NAME_INVALID);
        }
    }

    static boolean isStart(int point) {
        return point == '_'
                || Character.isLetter(point)
                || Character.getType(point) == Character.LETTER_NUMBER;
    }

    static boolean isPart(int point) {
        if (isStart(point) || Character.isDigit(point)) {
            return true;
        }
        int type = Character.getType(point);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.CONNECTOR_PUNCTUATION;
    }
}
