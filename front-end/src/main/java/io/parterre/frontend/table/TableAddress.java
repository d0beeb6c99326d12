package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The account that a request addresses, and the address by which its client calls us.
 *
 * <p>The rule: if the host is one label before a configured suffix ({@code acct.table.example.com}
 * for {@code table.example.com}), the label is the account and the whole path is the resource.
 * Otherwise the first segment of the path is the account. {@code -secondary} at the end of either
 * asks for the read-only replica. Source: docs/protocol.md 1.1.
 *
 * @param account name in the directory, without {@code -secondary}
 * @param secondary whether the read-only replica is asked for
 * @param baseUrl scheme, host and, path-style, account as the client sent them; no slash at the end
 * @param signedPath path as sent, which signatures cover
 * @param resourcePath path after the account, not decoded
 */
public record TableAddress(
        String account, boolean secondary, String baseUrl, String signedPath, String resourcePath) {
    private static final String SECONDARY = "-secondary";

    /**
     * Parses an address.
     *
     * @param rawPath path of the request target as sent, or the whole target before its query if it
     *     is in absolute form
     * @param hostSuffixes domains whose first label is an account, lower case, no leading dot
     * @throws StorageException {@code HOST_INFORMATION_NOT_PRESENT}, {@code INVALID_URI}
     */
    public static TableAddress of(
            boolean secure, Optional<String> host, String rawPath, List<String> hostSuffixes) {
        String path = rawPath;
        String authority = host.orElse("").strip();
        int scheme = rawPath.indexOf("://");
        if (scheme > 0 && !rawPath.startsWith("/")) {
            int slash = rawPath.indexOf('/', scheme + 3);
            authority = rawPath.substring(scheme + 3, slash < 0 ? rawPath.length() : slash);
            path = slash < 0 ? "/" : rawPath.substring(slash);
        }
        if (authority.isEmpty()) {
            throw new StorageException(ErrorCode.HOST_INFORMATION_NOT_PRESENT);
        }
        String origin = (secure ? "https://" : "http://") + authority;
        Optional<String> label = accountLabel(authority, hostSuffixes);
        if (label.isPresent()) {
            return named(label.get(), origin, path, path);
        }
        if (!path.startsWith("/") || path.length() < 2) {
            throw new StorageException(ErrorCode.INVALID_URI);
        }
        int slash = path.indexOf('/', 1);
        String segment = path.substring(1, slash < 0 ? path.length() : slash);
        String rest = slash < 0 ? "/" : path.substring(slash);
        return named(segment, origin + "/" + segment, path, rest);
    }

    private static TableAddress named(String name, String base, String path, String resource) {
        boolean secondary = name.endsWith(SECONDARY);
        String account = secondary ? name.substring(0, name.length() - SECONDARY.length()) : name;
        return new TableAddress(account, secondary, base, path, resource);
    }

    private static Optional<String> accountLabel(String authority, List<String> hostSuffixes) {
        int colon = authority.lastIndexOf(':');
        String host =
                colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
        int dot = host.indexOf('.');
        if (dot <= 0) {
            return Optional.empty();
        }
        String domain = host.substring(dot + 1).toLowerCase(Locale.ROOT);
        return hostSuffixes.contains(domain)
                ? Optional.of(host.substring(0, dot).toLowerCase(Locale.ROOT))
                : Optional.empty();
    }

    /**
     * Returns the resource that a URI inside a batch names: absolute or relative, with or without
     * the account's segment. Scheme, host and port are ignored, because proxies rewrite them.
     * Source: docs/protocol.md 7.3.7.
     *
     * @param rawPath the URI before its query
     */
    public String resourcePathOfPart(String rawPath) {
        String path = rawPath;
        int scheme = rawPath.indexOf("://");
        if (scheme > 0 && !rawPath.startsWith("/")) {
            int slash = rawPath.indexOf('/', scheme + 3);
            path = slash < 0 ? "/" : rawPath.substring(slash);
        }
        if (!path.startsWith("/")) {
            path = "/" + path;
        }
        for (String name : List.of(account, account + SECONDARY)) {
            if (path.startsWith(name + "/", 1)) {
                return path.substring(1 + name.length());
            }
        }
        return path;
    }
}
