package io.parterre.frontend.settings;

import io.parterre.directory.CorsRule;
import io.parterre.frontend.call.HeaderList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Applies an account's rules to requests of scripts. The first rule that names origin and method
 * decides. Origins are compared with case, names of headers without. Source: docs/protocol.md 3.11.
 * Immutable.
 */
public record CorsPolicy(List<CorsRule> rules) {
    private static final String ANY = "*";

    /** Headers that the server adds to every answer. */
    private static final List<String> OF_THE_SERVER = List.of("Content-Length", "Date");

    public CorsPolicy {
        rules = List.copyOf(rules);
    }

    /**
     * Returns the headers of the answer to a preflight; empty if the preflight fails.
     *
     * @param requestHeaders value of {@code Access-Control-Request-Headers}; empty string if absent
     */
    public Optional<HeaderList> preflight(String origin, String method, String requestHeaders) {
        return rule(origin, method)
                .filter(rule -> allowsAll(rule, requestHeaders))
                .map(rule -> preflight(rule, origin, method, requestHeaders));
    }

    private static HeaderList preflight(
            CorsRule rule, String origin, String method, String requestHeaders) {
        HeaderList headers =
                HeaderList.of(
                        "Access-Control-Allow-Origin",
                        told(rule, origin),
                        "Access-Control-Allow-Methods",
                        method);
        if (!requestHeaders.isBlank()) {
            headers = headers.with("Access-Control-Allow-Headers", requestHeaders);
        }
        return headers.with("Access-Control-Max-Age", "" + rule.maxAgeSeconds())
                .with("Access-Control-Allow-Credentials", "true");
    }

    /**
     * Returns the headers to add to the answer of a request that names its origin.
     *
     * @param answer headers of the answer without the added ones
     */
    public HeaderList ofAnswer(String origin, String method, HeaderList answer) {
        HeaderList headers = HeaderList.EMPTY;
        Optional<CorsRule> rule = rule(origin, method);
        if (rule.isPresent()) {
            headers = headers.with("Access-Control-Allow-Origin", told(rule.get(), origin));
            String exposed = exposed(rule.get(), answer);
            if (!exposed.isEmpty()) {
                headers = headers.with("Access-Control-Expose-Headers", exposed);
            }
        }
        boolean read = method.equals("GET") || method.equals("HEAD");
        boolean sameForAll = rule.filter(CorsPolicy::isForAll).isPresent();
        return read && !rules.isEmpty() && !sameForAll ? headers.with("Vary", "Origin") : headers;
    }

    private Optional<CorsRule> rule(String origin, String method) {
        return rules.stream()
                .filter(rule -> rule.allowedMethods().contains(method))
                .filter(
                        rule ->
                                rule.allowedOrigins().stream()
                                        .anyMatch(each -> isMatch(each, origin)))
                .findFirst();
    }

    /**
     * Returns whether a pattern matches. A star stands for one or more characters, as in {@code
     * https://*.example.com}.
     */
    private static boolean isMatch(String pattern, String origin) {
        int star = pattern.indexOf('*');
        if (star < 0 || pattern.equals(ANY)) {
            return star == 0 || pattern.equals(origin);
        }
        return origin.length() >= pattern.length()
                && origin.startsWith(pattern.substring(0, star))
                && origin.endsWith(pattern.substring(star + 1));
    }

    private static boolean isForAll(CorsRule rule) {
        return rule.allowedOrigins().contains(ANY);
    }

    private static String told(CorsRule rule, String origin) {
        return isForAll(rule) ? ANY : origin;
    }

    private static boolean allowsAll(CorsRule rule, String requestHeaders) {
        for (String name : requestHeaders.split(",")) {
            String stripped = name.strip();
            if (!stripped.isEmpty() && !isNamed(rule.allowedHeaders(), stripped)) {
                return false;
            }
        }
        return true;
    }

    private static String exposed(CorsRule rule, HeaderList answer) {
        Set<String> names = new LinkedHashSet<>();
        answer.headers().forEach(header -> names.add(header.name()));
        names.addAll(OF_THE_SERVER);
        return String.join(
                ",", names.stream().filter(name -> isNamed(rule.exposedHeaders(), name)).toList());
    }

    private static boolean isNamed(List<String> patterns, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String pattern : patterns) {
            String wanted = pattern.toLowerCase(Locale.ROOT);
            boolean match =
                    wanted.endsWith(ANY)
                            ? lower.startsWith(wanted.substring(0, wanted.length() - 1))
                            : lower.equals(wanted);
            if (match) {
                return true;
            }
        }
        return false;
    }
}
