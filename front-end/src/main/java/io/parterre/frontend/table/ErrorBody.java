package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.entity.Ticks;
import java.time.Instant;

/**
 * Error bodies: JSON on one line, and the two XML forms of the service. Source: docs/protocol.md
 * 10.2 and 10.3; as recorded, the data layer answers in the unprefixed form to clients that accept
 * anything. Stateless; thread-safe.
 */
public final class ErrorBody {
    private static final String XML_NAMESPACE =
            "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata";

    private ErrorBody() {}

    /** Returns the text with the two lines that end every error text. */
    private static String message(String text, String requestId, Instant now) {
        return text + "\nRequestId:" + requestId + "\nTime:" + Ticks.formatFull(Ticks.of(now));
    }

    public static byte[] json(String code, String text, String requestId, Instant now) {
        JsonSink out = new JsonSink(384);
        out.raw("{\"odata.error\":{\"code\":");
        out.string(code);
        out.raw(",\"message\":{\"lang\":\"en-US\",\"value\":");
        out.string(message(text, requestId, now));
        out.raw("}}}");
        return out.toBytes();
    }

    /** Returns the front end's form, {@code m:error}. */
    public static byte[] frontEndXml(String code, String text, String requestId, Instant now) {
        return xml("m:", "xmlns:m", code, message(text, requestId, now));
    }

    /** Returns the data layer's form, without a prefix. */
    public static byte[] dataLayerXml(String code, String text, String requestId, Instant now) {
        return xml("", "xmlns", code, message(text, requestId, now));
    }

    private static byte[] xml(String prefix, String declaration, String code, String message) {
        String body =
                "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
                        + "<%1$serror %2$s=\"%3$s\"><%1$scode>%4$s</%1$scode>"
                        + "<%1$smessage xml:lang=\"en-US\">%5$s</%1$smessage></%1$serror>";
        return body.formatted(prefix, declaration, XML_NAMESPACE, code, escaped(message))
                .getBytes(UTF_8);
    }

    /** Escapes XML text; characters that XML cannot contain become question marks. */
    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(
                        point -> {
                            switch (point) {
                                case '&' -> out.append("&amp;");
                                case '<' -> out.append("&lt;");
                                case '>' -> out.append("&gt;");
                                default -> out.appendCodePoint(isXml(point) ? point : '?');
                            }
                        });
        return out.toString();
    }

    private static boolean isXml(int point) {
        return point == '\n'
                || point == '\r'
                || point == '\t'
                || point >= 0x20 && point <= 0xD7FF
                || point >= 0xE000 && point <= 0xFFFD
                || point >= 0x10000;
    }
}
