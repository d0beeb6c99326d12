package io.parterre.frontend.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request body as the flat object that it must be: members in their order, and type annotations,
 * which may precede or follow their member. UTF-8, possibly with a byte-order mark. Source:
 * docs/protocol.md 2.4, 4.1 and 4.5.
 *
 * <p>{@code odata.*}, {@code Timestamp} and annotations other than types are skipped, whatever they
 * contain.
 */
final class JsonObject {
    private static final String TYPE_SUFFIX = "@odata.type";

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** Skipped members may nest; everything else is flat. */
    private static final int NESTING_MAX = 64;

    private static final int TEXT_CHARS_MAX = 8 << 20;

    /**
     * Most members and type annotations that are kept: more than any limit of properties, nulls
     * included. A body may have a hundred thousand members of a few bytes, and each takes about a
     * hundred bytes of memory.
     */
    private static final int MEMBERS_MAX = 16_384;

    /**
     * Never used to create a parser directly: a factory remembers the names that its parsers have
     * read, up to thousands, however long each is. Clients choose the names.
     */
    static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(NESTING_MAX)
                                    .maxNameLength(TEXT_CHARS_MAX)
                                    .maxStringLength(TEXT_CHARS_MAX)
                                    .build())
                    // The service's reader accepts unescaped line breaks within texts.
                    .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
                    // Names come from clients, so they must not fill a table of the whole process.
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    // Bodies are UTF-8, so no other encoding is guessed from the positions of zero
                    // bytes.
                    .disable(JsonFactory.Feature.CHARSET_DETECTION)
                    .build();

    private final Map<String, JsonScalar> members = new LinkedHashMap<>();
    private final Map<String, String> types = new HashMap<>();

    private JsonObject() {}

    /**
     * Parses a body.
     *
     * @throws StorageException {@code INVALID_INPUT} if the body is no flat JSON object, {@code
     *     DUPLICATE_PROPERTIES_SPECIFIED}, {@code TOO_MANY_PROPERTIES} if it has more members than
     *     are kept
     */
    static JsonObject parse(byte[] body, int offset, int length) {
        JsonObject object = new JsonObject();
        int mark = startsWithMark(body, offset, length) ? BYTE_ORDER_MARK.length : 0;
        JsonFactory ownNames = FACTORY.rebuild().build();
        try (JsonParser parser = ownNames.createParser(body, offset + mark, length - mark)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                object.read(parser);
            }
            if (parser.nextToken() != null) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
        } catch (IOException | IllegalStateException malformed) {
            // The latter is thrown if names are made to collide in the parser's symbol table.
            throw new StorageException(ErrorCode.INVALID_INPUT, malformed);
        }
        return object;
    }

    private static boolean startsWithMark(byte[] body, int offset, int length) {
        int end = offset + BYTE_ORDER_MARK.length;
        return length >= BYTE_ORDER_MARK.length
                && Arrays.equals(body, offset, end, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
    }

    private void read(JsonParser parser) throws IOException {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        int annotated = name.endsWith(TYPE_SUFFIX) ? name.length() - TYPE_SUFFIX.length() : -1;
        if (annotated >= 0 && name.indexOf('@') == annotated) {
            if (token == JsonToken.VALUE_STRING) {
                putOnce(types, name.substring(0, annotated), parser.getText());
            } else if (token != JsonToken.VALUE_NULL) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
        } else if (isSkipped(name)) {
            parser.skipChildren();
        } else {
            putOnce(members, name, scalar(parser, token));
        }
    }

    private static boolean isSkipped(String name) {
        return name.equals("Timestamp") || name.startsWith("odata.") || name.contains("@odata.");
    }

    private static <V> void putOnce(Map<String, V> values, String name, V value) {
        if (values.putIfAbsent(name, value) != null) {
            throw new StorageException(ErrorCode.DUPLICATE_PROPERTIES_SPECIFIED);
        }
        if (values.size() > MEMBERS_MAX) {
            throw new StorageException(ErrorCode.TOO_MANY_PROPERTIES);
        }
    }

    private static JsonScalar scalar(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case VALUE_NULL -> JsonScalar.NULL;
            case VALUE_TRUE -> JsonScalar.TRUE;
            case VALUE_FALSE -> JsonScalar.FALSE;
            case VALUE_STRING -> new JsonScalar(JsonScalar.Kind.STRING, parser.getText());
            case VALUE_NUMBER_INT -> new JsonScalar(JsonScalar.Kind.INTEGER, parser.getText());
            case VALUE_NUMBER_FLOAT -> new JsonScalar(JsonScalar.Kind.DECIMAL, parser.getText());
            case START_OBJECT,
                    START_ARRAY,
                    END_OBJECT,
                    END_ARRAY,
                    FIELD_NAME,
                    VALUE_EMBEDDED_OBJECT,
                    NOT_AVAILABLE ->
                    throw new StorageException(ErrorCode.INVALID_INPUT);
        };
    }

    /** Returns the members in their order, without annotations and skipped members. */
    Map<String, JsonScalar> members() {
        return members;
    }

    /** Returns the type that an annotation gives a member; empty if none does. */
    Optional<String> type(String name) {
        return Optional.ofNullable(types.get(name));
    }

    /** Returns the member of this name; empty if it is null or absent. */
    Optional<JsonScalar> present(String name) {
        return Optional.ofNullable(members.get(name))
                .filter(value -> value.kind() != JsonScalar.Kind.NULL);
    }
}
