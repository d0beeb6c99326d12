package io.parterre.crash;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The moment and passage at which a process ends, in the notation of developers: {@code
 * AFTER_APPLY} or {@code AFTER_APPLY:3}.
 *
 * @param point name of the moment
 * @param passage number of the passage; the first is 1
 */
record CrashOrder(String point, int passage) {
    private static final Pattern TEXT = Pattern.compile("([A-Z_]+)(?::([1-9]\\d{0,8}))?");

    static Optional<CrashOrder> parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int passage = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
        return Optional.of(new CrashOrder(matcher.group(1), passage));
    }
}
