package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import java.util.List;
import java.util.Optional;

/** What a request does. {@code PATCH} is an exact synonym of {@code MERGE}. */
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
     * The verb of a request line, or the one that {@code X-HTTP-Method} puts in place of {@code
     * POST}. Source: docs/protocol.md 2.6.
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
     * The verb of a part of a batch. Beside another verb than {@code POST} the header says nothing:
     * clients repeat there what the request line says.
     *
     * @throws StorageException like {@link #of}, but for {@code X_METHOD_NOT_USING_POST}
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

    /** Whether it changes something. */
    public boolean isWrite() {
        return switch (this) {
            case POST, PUT, MERGE, DELETE -> true;
            case GET, HEAD, OPTIONS -> false;
        };
    }
}
