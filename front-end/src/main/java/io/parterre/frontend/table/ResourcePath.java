package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.Optional;

/**
 * Parses the path after the account into a {@link Resource}. Source: docs/protocol.md 1.2 and 1.3.
 * Stateless; thread-safe.
 *
 * <p>Slashes at the end are ignored. The path is decoded once, then parsed with respect to quotes:
 * keys may contain commas, brackets and equal signs, and the quotes themselves may arrive as {@code
 * %27}.
 */
public final class ResourcePath {
    private ResourcePath() {}

    /**
     * Parses a path.
     *
     * @param rawPath begins with a slash
     * @throws StorageException {@code INVALID_INPUT} if a key predicate is malformed, {@code
     *     INVALID_URI} if the path names nothing
     */
    public static Resource parse(String rawPath) {
        int end = rawPath.length();
        while (end > 0 && rawPath.charAt(end - 1) == '/') {
            end--;
        }
        String path = rawPath.substring(rawPath.startsWith("/") && end > 0 ? 1 : 0, end);
        int slash = path.indexOf('/');
        return slash >= 0 && slash < bracket(path)
                ? below(
                        PercentCodec.decodePath(path.substring(0, slash)),
                        PercentCodec.decodePath(path.substring(slash + 1)))
                : segment(PercentCodec.decodePath(path));
    }

    /** Returns where keys begin in a path that is not decoded yet, or its end. */
    private static int bracket(String rawPath) {
        int raw = rawPath.indexOf('(');
        int encoded = rawPath.indexOf("%28");
        int first = raw < 0 || encoded >= 0 && encoded < raw ? encoded : raw;
        return first < 0 ? rawPath.length() : first;
    }

    /** Returns the resource below a table; nothing exists below any other resource. */
    private static Resource below(String name, String rest) {
        if (name.isEmpty() || !(unkeyed(name) instanceof Resource.Entities set)) {
            throw new StorageException(ErrorCode.INVALID_URI);
        }
        int open = rest.indexOf('(');
        return new Resource.BelowTable(
                set.table(), open < 0 ? 0 : new Predicate(rest.substring(open)).count());
    }

    private static Resource segment(String resource) {
        if (resource.isEmpty()) {
            return new Resource.Service();
        }
        int open = resource.indexOf('(');
        String name = open < 0 ? resource : resource.substring(0, open);
        if (name.isEmpty()) {
            throw new StorageException(ErrorCode.INVALID_URI);
        }
        if (open < 0) {
            return unkeyed(name);
        }
        Predicate predicate = new Predicate(resource.substring(open));
        if (predicate.isEmpty()) {
            return unkeyed(name);
        }
        return name.equalsIgnoreCase("Tables")
                ? new Resource.Table(predicate.single())
                : predicate.entityOf(name);
    }

    private static Resource unkeyed(String name) {
        if (name.equalsIgnoreCase("Tables")) {
            return new Resource.Tables();
        }
        if (name.equals("$batch")) {
            return new Resource.Batch();
        }
        return name.equals("$metadata") ? new Resource.Metadata() : new Resource.Entities(name);
    }

    /** Parses a key predicate in brackets from left to right. */
    private static final class Predicate {
        private final String text;
        private int at = 1;

        Predicate(String text) {
            this.text = text;
        }

        boolean isEmpty() {
            skipSpace();
            if (peek() != ')') {
                return false;
            }
            end();
            return true;
        }

        /** Returns the number of keys in the predicate, named or not. */
        int count() {
            if (isEmpty()) {
                return 0;
            }
            if (peek() == '\'') {
                single();
                return 1;
            }
            entityOf("");
            return 2;
        }

        /** Returns the value of {@code ('value')}. */
        String single() {
            String value = literal();
            end();
            return value;
        }

        /** Returns the entity of {@code (PartitionKey='..',RowKey='..')}, keys in either order. */
        Resource entityOf(String table) {
            Optional<String> partitionKey = Optional.empty();
            Optional<String> rowKey = Optional.empty();
            for (int i = 0; i < 2; i++) {
                String name = keyName();
                String value = literal();
                if (name.equals("PartitionKey") && partitionKey.isEmpty()) {
                    partitionKey = Optional.of(value);
                } else if (name.equals("RowKey") && rowKey.isEmpty()) {
                    rowKey = Optional.of(value);
                } else {
                    throw malformed();
                }
                if (i == 0) {
                    expect(',');
                }
            }
            end();
            return new Resource.OneEntity(table, partitionKey.orElseThrow(), rowKey.orElseThrow());
        }

        private String keyName() {
            skipSpace();
            int from = at;
            while (Character.isLetter(peek())) {
                at++;
            }
            String name = text.substring(from, at);
            expect('=');
            return name;
        }

        private String literal() {
            expect('\'');
            StringBuilder value = new StringBuilder();
            while (true) {
                int quote = text.indexOf('\'', at);
                if (quote < 0) {
                    throw unterminated();
                }
                value.append(text, at, quote);
                at = quote + 1;
                if (peek() != '\'') {
                    return value.toString();
                }
                value.append('\'');
                at++;
            }
        }

        private void expect(char expected) {
            skipSpace();
            if (peek() != expected) {
                throw malformed();
            }
            at++;
        }

        private void end() {
            expect(')');
            if (at != text.length()) {
                throw malformed();
            }
        }

        private void skipSpace() {
            while (peek() == ' ') {
                at++;
            }
        }

        private char peek() {
            return at < text.length() ? text.charAt(at) : '\0';
        }

        /**
         * Returns the error for a malformed predicate. An odd number of quotes results from an
         * undoubled quote.
         */
        private StorageException malformed() {
            boolean odd = text.chars().filter(unit -> unit == '\'').count() % 2 == 1;
            return odd
                    ? unterminated()
                    : new StorageException(
                            ErrorCode.INVALID_INPUT, "Bad Request - Error in query syntax.");
        }

        private StorageException unterminated() {
            return new StorageException(
                    ErrorCode.INVALID_INPUT,
                    "There is an unterminated string literal at position %s in '%s'."
                            .formatted(text.length(), text));
        }
    }
}
