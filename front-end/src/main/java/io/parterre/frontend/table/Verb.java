package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import java.util.List;
import java.util.Optional;

/** The verb of a request. {@code PATCH} is an exact synonym of {@code MERGE}. */
public enum Verb {
    GET,
    HEAD,
    POST,
    PUT,
    MERGE,
    DELETE,
    OPTIONS;

    private static final String TUNNEL = "X-HTTP-Method";

    /**
     * Returns the verb of a request line, or the one with which {@code X-HTTP-Method} replaces
     * {@code POST}. Source: docs/protocol.md 2.6.
     *
     * @throws StorageException {@code METHOD_NOT_ALLOWED}, {@code X_METHOD_NOT_USING_POST}, {@code
     *     X_METHOD_INCORRECT_VALUE}, {@code X_METHOD_INCORRECT_COUNT}
     */
    public static Verb of(String method, HeaderList headers) {
        List<String> tunnelled = headers.all(TUNNEL);
        if (tunnelled.isEmpty()) {
            return spoken(method);
        }
        if (!method.equals("POST")) {
            throw new StorageException(ErrorCode.X_METHOD_NOT_USING_POST);
        }
        if (tunnelled.size() > 1) {
            throw new StorageException(ErrorCode.X_METHOD_INCORRECT_COUNT);
        }
        return named(tunnelled.get(0).strip())
                .filter(verb -> verb == PUT || verb == MERGE || verb == DELETE)
                .orElseThrow(() -> new StorageException(ErrorCode.X_METHOD_INCORRECT_VALUE));
    }

    /**
     * Returns the verb of a part of a batch. The header is ignored beside any other verb than
     * {@code POST}, because clients repeat the request line's verb in it.
     *
     * @throws StorageException like {@link #of}, except {@code X_METHOD_NOT_USING_POST}
     */
    public static Verb ofPart(String method, HeaderList headers) {
        return method.equals("POST") ? of(method, headers) : spoken(method);
    }

    private static Verb spoken(String method) {
        return named(method).orElseThrow(() -> new StorageException(ErrorCode.METHOD_NOT_ALLOWED));
    }

    private static Optional<Verb> named(String method) {
        return switch (method) {
            case "GET" -> Optional.of(GET);
            case "HEAD" -> Optional.of(HEAD);
            case "POST" -> Optional.of(POST);
            case "PUT" -> Optional.of(PUT);
            case "MERGE", "PATCH" -> Optional.of(MERGE);
            case "DELETE" -> Optional.of(DELETE);
            case "OPTIONS" -> Optional.of(OPTIONS);
            default -> Optional.empty();
        };
    }

    /** Returns whether the verb changes something. */
    public boolean isWrite() {
        return switch (this) {
            case POST, PUT, MERGE, DELETE -> true;
            case GET, HEAD, OPTIONS -> false;
        };
    }
}
