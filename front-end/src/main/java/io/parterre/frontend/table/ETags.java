package io.parterre.frontend.table;

import io.parterre.entity.Ticks;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.OptionalLong;

/**
 * ETags: {@code W/"datetime'2017-01-05T03%3A25%3A45.588957Z'"}, the Timestamp with its colons
 * encoded. Clients return them as opaque text. An ETag that we would not have written never
 * matches. Source: docs/protocol.md 3.7. Stateless; thread-safe.
 */
public final class ETags {
    private static final String START = "W/\"";
    private static final String OURS = "datetime'";

    private ETags() {}

    public static String of(long timestampTicks) {
        StringBuilder etag = new StringBuilder(48).append(START).append(OURS);
        Ticks.appendTo(etag, timestampTicks, "%3A");
        return etag.append("'\"").toString();
    }

    /**
     * Returns what an {@code If-Match} asks for. The {@code W} of a weak ETag may be lower case,
     * but ETags of ours never are.
     *
     * @throws StorageException {@code INVALID_INPUT} if the text is neither {@code *} nor a weak
     *     ETag
     */
    public static IfMatch parse(String header) {
        String text = header.strip();
        if (text.equals("*")) {
            return IfMatch.ANY;
        }
        boolean wellFormed =
                text.length() > START.length()
                        && text.regionMatches(true, 0, START, 0, START.length())
                        && text.indexOf('"', START.length()) == text.length() - 1;
        if (!wellFormed) {
            throw new StorageException(
                    ErrorCode.INVALID_INPUT,
                    ("The etag value '%s' specified in one of the request headers is not valid."
                                    + " Please make sure only one etag value is specified and is"
                                    + " valid.")
                            .formatted(header));
        }
        return contents(text.substring(START.length(), text.length() - 1), text);
    }

    private static IfMatch contents(String contents, String whole) {
        boolean dated = contents.startsWith(OURS) && contents.endsWith("'");
        if (!dated || contents.length() <= OURS.length()) {
            return IfMatch.FOREIGN;
        }
        String time = contents.substring(OURS.length(), contents.length() - 1);
        OptionalLong ticks = Ticks.parse(time.replace("%3A", ":").replace("%3a", ":"));
        if (ticks.isEmpty()) {
            return IfMatch.NOT_A_TIME;
        }
        return of(ticks.getAsLong()).equals(whole)
                ? new IfMatch(IfMatch.Kind.VERSION, ticks)
                : IfMatch.FOREIGN;
    }
}
