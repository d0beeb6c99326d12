package io.parterre.frontend.auth;

import io.parterre.frontend.call.HeaderList;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The text that a shared key signature covers.
 *
 * <pre>
 * SharedKey      VERB \n Content-MD5 \n Content-Type \n Date \n CanonicalizedResource
 * SharedKeyLite  Date \n CanonicalizedResource
 * </pre>
 *
 * <p>Source: docs/protocol.md 8.2. Stateless; thread-safe.
 */
final class StringToSign {
    private static final String SECONDARY = "-secondary";

    private StringToSign() {}

    /**
     * Returns the date that is signed, verbatim: {@code x-ms-date}, else {@code Date}; empty if
     * neither is sent.
     */
    static Optional<String> signedDate(HeaderList headers) {
        return headers.first("x-ms-date").or(() -> headers.first("Date")).filter(d -> !d.isEmpty());
    }

    static String of(SignedRequest request, boolean lite, String date, String path) {
        StringBuilder text = new StringBuilder(160);
        if (!lite) {
            text.append(request.method()).append('\n');
            text.append(request.headers().first("Content-MD5").orElse("")).append('\n');
            text.append(request.headers().first("Content-Type").orElse("")).append('\n');
        }
        text.append(date).append('\n');
        text.append('/').append(request.account()).append(path);
        request.comp().ifPresent(comp -> text.append("?comp=").append(comp));
        return text.toString();
    }

    /** Returns the path as sent, which almost every client has signed. */
    static String sentPath(SignedRequest request) {
        return request.rawPath().isEmpty() ? "/" : request.rawPath();
    }

    /**
     * Returns other paths that a client may have signed. Proxies replace {@code '} by {@code %27}
     * and the reverse, which mean the same; on the secondary some clients sign the primary's path.
     */
    static Set<String> otherPaths(SignedRequest request) {
        String sent = sentPath(request);
        Set<String> paths = new LinkedHashSet<>();
        paths.add(sent.replace("%27", "'"));
        paths.add(sent.replace("'", "%27"));
        String secondary = "/" + request.account() + SECONDARY;
        if (sent.equals(secondary) || sent.startsWith(secondary + "/")) {
            paths.add("/" + request.account() + sent.substring(secondary.length()));
        }
        paths.remove(sent);
        return paths;
    }
}
