package io.parterre.frontend.auth;

import io.parterre.frontend.config.Problems;
import java.time.Duration;
import java.util.List;

/**
 * Which bearer tokens (JWT of an OpenID Connect issuer) are accepted, and what they permit. Source:
 * docs/protocol.md 8.7.
 *
 * @param issuers accepted values of {@code iss}, compared exactly
 * @param audiences accepted values of {@code aud}; clients are told the first
 * @param authorizationUri address at which clients without a token get one
 * @param rolesClaim claim that holds the roles, a text or a list of texts; dots lead into nested
 *     objects
 * @param readerRoles values of the claim that permit reading
 * @param contributorRoles values of the claim that permit reading and writing
 * @param accounts accounts that tokens are accepted for; empty means all accounts
 * @param clockSkewMax largest tolerated difference between the issuer's clock and ours
 */
public record BearerConfig(
        List<String> issuers,
        List<String> audiences,
        String authorizationUri,
        String rolesClaim,
        List<String> readerRoles,
        List<String> contributorRoles,
        List<String> accounts,
        Duration clockSkewMax) {
    private static final Duration SKEW_LIMIT = Duration.ofMinutes(15);

    public BearerConfig {
        issuers = List.copyOf(issuers);
        audiences = List.copyOf(audiences);
        readerRoles = List.copyOf(readerRoles);
        contributorRoles = List.copyOf(contributorRoles);
        accounts = List.copyOf(accounts);
        // The address is sent in a header unencoded, and clients split the header at spaces.
        boolean isUri =
                !authorizationUri.isEmpty() && authorizationUri.chars().allMatch(c -> c > ' ');
        boolean skewed = clockSkewMax.isNegative() || clockSkewMax.compareTo(SKEW_LIMIT) > 0;
        new Problems()
                .check(!issuers.isEmpty(), "issuers", "none", "at least one")
                .check(!audiences.isEmpty(), "audiences", "none", "at least one")
                .check(isUri, "authorizationUri", "'" + authorizationUri + "'", "a URI")
                .check(!rolesClaim.isBlank(), "rolesClaim", "'" + rolesClaim + "'", "not blank")
                .check(!skewed, "clockSkewMax", clockSkewMax, "0s..15m")
                .refuseIfAny();
    }

    /**
     * Returns the resource for which clients request a token: the first audience, without a slash
     * at its end.
     */
    String resourceId() {
        String first = audiences.get(0);
        return first.endsWith("/") ? first.substring(0, first.length() - 1) : first;
    }
}
