package io.parterre.frontend.table;

import io.parterre.entity.TextCodec;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Percent-encoding of UTF-8 in paths and query strings. Stateless; thread-safe.
 *
 * <p>Everything is decoded exactly once. A bare {@code +} is a plus in a path and a space in a
 * query, because clients' form-style encoders write it so. Source: docs/protocol.md 1.3 and 1.4.
 */
public final class PercentCodec {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private PercentCodec() {}

    /**
     * Decodes a path.
     *
     * @throws StorageException {@code REQUEST_URL_FAILED_TO_PARSE} if an escape is malformed or the
     *     bytes are no UTF-8
     */
    public static String decodePath(String raw) {
        return raw.indexOf('%') < 0 && isAscii(raw) ? raw : decode(raw, false);
    }

    /** Decodes a name or value of a query string; throws like {@link #decodePath}. */
    public static String decodeQuery(String raw) {
        return raw.indexOf('%') < 0 && raw.indexOf('+') < 0 && isAscii(raw)
                ? raw
                : decode(raw, true);
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static String decode(String raw, boolean plusIsSpace) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length());
        int at = 0;
        while (at < raw.length()) {
            char unit = raw.charAt(at);
            if (unit == '%') {
                bytes.put((byte) (hex(raw, at + 1) << 4 | hex(raw, at + 2)));
                at += 3;
            } else if (unit == '+' && plusIsSpace) {
                bytes.put((byte) ' ');
                at++;
            } else if (unit < 0x100) {
                // Lines are read byte by byte as Latin-1, so this is an unescaped byte of the
                // client.
                bytes.put((byte) unit);
                at++;
            } else {
                throw new StorageException(ErrorCode.REQUEST_URL_FAILED_TO_PARSE);
            }
        }
        return text(bytes.flip());
    }

    private static int hex(String raw, int at) {
        int digit = at < raw.length() ? Character.digit(raw.charAt(at), 16) : -1;
        if (digit < 0 || raw.charAt(at) >= 0x80) {
            throw new StorageException(ErrorCode.REQUEST_URL_FAILED_TO_PARSE);
        }
        return digit;
    }

    private static String text(ByteBuffer utf8) {
        try {
            CharBuffer text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(utf8);
            return text.toString();
        } catch (CharacterCodingException notUtf8) {
            throw new StorageException(ErrorCode.REQUEST_URL_FAILED_TO_PARSE, notUtf8);
        }
    }

    /** Escapes everything but RFC 3986 unreserved characters and the quote. */
    public static String encodeKey(String text) {
        return encode(text, "-._~'");
    }

    /** Escapes what is illegal in a URI; reserved characters stay unchanged. */
    public static String encodeUri(String text) {
        return encode(text, "-._~:/?#[]@!$&'()*+,;=");
    }

    private static String encode(String text, String bare) {
        StringBuilder out = null;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            int length = Character.charCount(point);
            boolean plain =
                    point < 0x80 && (Character.isLetterOrDigit(point) || bare.indexOf(point) >= 0);
            if (plain) {
                if (out != null) {
                    out.append((char) point);
                }
            } else {
                if (out == null) {
                    out = new StringBuilder(text.length() + 16).append(text, 0, at);
                }
                byte[] utf8 = TextCodec.encode(text.substring(at, at + length));
                for (byte octet : utf8) {
                    out.append('%').append(HEX[octet >> 4 & 0xF]).append(HEX[octet & 0xF]);
                }
            }
            at += length;
        }
        return out == null ? text : out.toString();
    }
}
