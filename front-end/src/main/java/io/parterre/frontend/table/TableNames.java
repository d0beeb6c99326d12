package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;

/**
 * Rules of table names: a letter, then letters and digits, 3 to 63 in all, not {@code tables}.
 * Source: docs/protocol.md 3.4 and 4.2. Stateless; thread-safe.
 */
public final class TableNames {
    /** The limit of the service; no configuration permits less. */
    public static final int CHARS_MIN = 3;

    /** The limit of the service; no configuration permits more. */
    public static final int CHARS_MAX = 63;

    private TableNames() {}

    /**
     * Returns whether a table of this name can exist, under whatever configuration it was created.
     */
    public static boolean isPossible(String name) {
        return hasLegalCharacters(name)
                && name.length() >= CHARS_MIN
                && name.length() <= CHARS_MAX
                && !name.equalsIgnoreCase("tables");
    }

    /**
     * Checks the name of the table that an address names. An impossible name has the same error for
     * every operation as for the creation of a table, except that Get and Delete Table find no such
     * table.
     *
     * @throws StorageException {@code INVALID_RESOURCE_NAME}, {@code OUT_OF_RANGE_INPUT}
     */
    public static void checkInAddress(Resource resource) {
        String name = resource instanceof Resource.Table ? "" : resource.table();
        // Tables of the service itself have such names; here they count as missing.
        if (!name.isEmpty() && !name.startsWith("$Metrics")) {
            check(name, CHARS_MIN, CHARS_MAX);
        }
    }

    /**
     * Checks the name of a table to be created: characters, then length, then the reserved name.
     *
     * @param charsMin least characters of the name
     * @param charsMax most characters of the name
     * @throws StorageException {@code INVALID_RESOURCE_NAME}, {@code OUT_OF_RANGE_INPUT}, {@code
     *     INVALID_INPUT}
     */
    public static void check(String name, int charsMin, int charsMax) {
        if (!name.isEmpty() && !hasLegalCharacters(name)) {
            throw new StorageException(ErrorCode.INVALID_RESOURCE_NAME);
        }
        if (name.length() < charsMin || name.length() > charsMax) {
            throw new StorageException(
                    ErrorCode.OUT_OF_RANGE_INPUT,
                    "The specified resource name length is not within the permissible limits.");
        }
        if (name.equalsIgnoreCase("tables")) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
    }

    private static boolean hasLegalCharacters(String name) {
        for (int i = 0; i < name.length(); i++) {
            char unit = name.charAt(i);
            boolean letter = unit >= 'A' && unit <= 'Z' || unit >= 'a' && unit <= 'z';
            boolean digit = unit >= '0' && unit <= '9';
            if (!letter && (i == 0 || !digit)) {
                return false;
            }
        }
        return !name.isEmpty();
    }
}
