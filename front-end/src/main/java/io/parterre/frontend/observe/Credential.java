package io.parterre.frontend.observe;

import io.parterre.frontend.call.RequestHead;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kinds of credential that a request carries, and the removal of signatures from addresses. Pure.
 */
enum Credential {
    KEY("authenticated", ""),
    SIGNATURE("sas", "SAS"),
    TOKEN("bearer", ""),
    NONE("anonymous", "Anonymous");

    /** A name and its value, in the query of an address or of an address within another text. */
    private static final Pattern PARAMETER = Pattern.compile("([^?&=;#\\s\"]+)=([^&;#\\s\"]*)");

    private static final Pattern NAME = Pattern.compile("(?i)sig");

    private static final Pattern LEFT = Pattern.compile("(?i)sig\\s*=(?!XXXXX)");

    private static final int ESCAPED_LEVELS_MAX = 5;

    /** Replacement of a signature, as the service itself writes it. */
    private static final String HIDDEN = "XXXXX";

    private final String type;
    private final String statusPrefix;

    Credential(String type, String statusPrefix) {
        this.type = type;
        this.statusPrefix = statusPrefix;
    }

    static Credential of(RequestHead head) {
        String authorization = head.headers().first("Authorization").orElse("");
        if (authorization.regionMatches(true, 0, "Bearer ", 0, "Bearer ".length())) {
            return TOKEN;
        }
        if (!authorization.isBlank()) {
            return KEY;
        }
        Matcher parameter = PARAMETER.matcher(head.target());
        return parameter.results().anyMatch(Credential::isSignature) ? SIGNATURE : NONE;
    }

    /** Returns the field {@code authentication-type}. */
    String type() {
        return type;
    }

    /** Returns the beginning of the field {@code request-status}. */
    String statusPrefix() {
        return statusPrefix;
    }

    /**
     * Returns a text that may contain addresses without the signatures in them, however they are
     * escaped.
     */
    static String withoutSignatures(String text) {
        // Most headers contain no signature, neither plain nor escaped.
        if (text.indexOf('%') < 0 && !NAME.matcher(text).find()) {
            return text;
        }
        String shown =
                PARAMETER
                        .matcher(text)
                        .replaceAll(
                                found ->
                                        Matcher.quoteReplacement(
                                                isSignature(found)
                                                        ? found.group(1) + "=" + HIDDEN
                                                        : found.group()));
        if (!LEFT.matcher(unescaped(shown)).find()) {
            return shown;
        }
        int query = shown.indexOf('?');
        return query < 0 ? HIDDEN : shown.substring(0, query + 1) + HIDDEN;
    }

    private static boolean isSignature(MatchResult parameter) {
        String name = unescaped(parameter.group(1)).strip().toLowerCase(Locale.ROOT);
        return name.endsWith("sig");
    }

    /** Returns the text unescaped on every level, because an address may be part of another one. */
    private static String unescaped(String text) {
        String plain = text;
        for (int i = 0; i < ESCAPED_LEVELS_MAX && plain.indexOf('%') >= 0; i++) {
            try {
                plain = URLDecoder.decode(plain, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException malformed) {
                // Removes percent signs that escape nothing, so that the others can be unescaped.
                plain = plain.replaceAll("%(?![0-9a-fA-F]{2})", "");
            }
        }
        return plain;
    }
}
