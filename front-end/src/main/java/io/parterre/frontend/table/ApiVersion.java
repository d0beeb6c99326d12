package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;

/**
 * The protocol version of a request: a date. Versions newer than we know act as the newest known
 * and are echoed: refusing them is what breaks clients of other servers most often. Source: section
 * 9.1.
 *
 * @param text as sent, or the newest known if none was sent
 * @param sent whether it was sent
 */
public record ApiVersion(String text, boolean sent) {
    private static final String OLDEST = "2009-04-14";
    private static final String NEWEST_KNOWN = "2020-12-06";
    private static final String FIRST_WITH_JSON = "2013-08-15";

    /**
     * Reads a version.
     *
     * @throws StorageException {@code INVALID_HEADER_VALUE} if it is no date from 2009-04-14 on
     */
    public static ApiVersion parse(Optional<String> header) {
        Optional<String> text = header.map(String::strip).filter(value -> !value.isEmpty());
        if (text.isEmpty()) {
            return new ApiVersion(NEWEST_KNOWN, false);
        }
        if (!isDate(text.get()) || text.get().compareTo(OLDEST) < 0) {
            throw new StorageException(ErrorCode.INVALID_HEADER_VALUE);
        }
        return new ApiVersion(text.get(), true);
    }

    private static boolean isDate(String text) {
        try {
            return text.length() == 10 && LocalDate.parse(text).getYear() > 0;
        } catch (DateTimeException malformed) {
            return false;
        }
    }

    public boolean hasJson() {
        return text.compareTo(FIRST_WITH_JSON) >= 0;
    }

    /** Whether it is from before metrics were told apart by hours and minutes. */
    public boolean hasOneKindOfMetrics() {
        return text.compareTo(FIRST_WITH_JSON) < 0;
    }
}
