package io.parterre.tls;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One name of a certificate: a role, and optionally one peer of that role. Immutable.
 *
 * @param id empty: any peer of the role
 */
public record PeerName(PeerRole role, Optional<String> id) {
    private static final String PREFIX = "spiffe://parterre/";

    private static final String ID_FORM = "[A-Za-z0-9._-]{1,64}";
    private static final Pattern ID = Pattern.compile(ID_FORM);
    private static final Pattern URI =
            Pattern.compile(Pattern.quote(PREFIX) + "([a-z-]+)(?:/(" + ID_FORM + "))?");

    public PeerName {
        if (id.isPresent() && !ID.matcher(id.get()).matches()) {
            throw new IllegalArgumentException(
                    "id: '" + id.get() + "' (expected: 1 to 64 of A-Z a-z 0-9 . _ -)");
        }
    }

    /** Returns the name of any peer of the role. */
    public static PeerName any(PeerRole role) {
        return new PeerName(role, Optional.empty());
    }

    public static PeerName of(PeerRole role, String id) {
        return new PeerName(role, Optional.of(id));
    }

    /**
     * Reads a URI of a certificate; empty: the URI is no name of Parterre, or its role is unknown.
     */
    static Optional<PeerName> parse(String uri) {
        Matcher matcher = URI.matcher(uri);
        return matcher.matches()
                ? PeerRole.of(matcher.group(1))
                        .map(role -> new PeerName(role, Optional.ofNullable(matcher.group(2))))
                : Optional.empty();
    }

    /** Returns the URI in a certificate. */
    public String uri() {
        return PREFIX + role.word() + id.map(each -> "/" + each).orElse("");
    }

    /** Returns whether a certificate with this name may act under the other name. */
    boolean covers(PeerName other) {
        return role == other.role && (id.isEmpty() || other.id.isEmpty() || id.equals(other.id));
    }

    @Override
    public String toString() {
        return role.word() + id.map(each -> " " + each).orElse("");
    }
}
