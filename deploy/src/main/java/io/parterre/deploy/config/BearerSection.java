package io.parterre.deploy.config;

import io.parterre.frontend.auth.BearerConfig;
import io.parterre.frontend.token.IssuerKeysConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Keys of bearer tokens, see {@link BearerConfig}; without an issuer no token is accepted. */
public record BearerSection(
        List<String> issuers,
        List<String> audiences,
        String authorizationUri,
        String keys,
        Duration keysRefreshInterval,
        Duration keysAgeMax,
        String rolesClaim,
        List<String> readerRoles,
        List<String> contributorRoles,
        List<String> accounts,
        Duration clockSkewMax) {
    private static final String AUDIENCE = "https://storage.azure.com";

    static final BearerSection DEFAULT =
            new BearerSection(
                    List.of(),
                    List.of(AUDIENCE, AUDIENCE + "/"),
                    "",
                    "",
                    IssuerKeysConfig.REFRESH_INTERVAL,
                    IssuerKeysConfig.AGE_MAX,
                    "roles",
                    List.of("Storage Table Data Reader"),
                    List.of("Storage Table Data Contributor"),
                    List.of(),
                    Duration.ofMinutes(1));

    public BearerSection {
        issuers = List.copyOf(issuers);
        audiences = List.copyOf(audiences);
        readerRoles = List.copyOf(readerRoles);
        contributorRoles = List.copyOf(contributorRoles);
        accounts = List.copyOf(accounts);
        if (!issuers.isEmpty()) {
            new BearerConfig(
                    issuers,
                    audiences,
                    authorizationUri,
                    rolesClaim,
                    readerRoles,
                    contributorRoles,
                    accounts,
                    clockSkewMax);
            new IssuerKeysConfig(keys, keysRefreshInterval, keysAgeMax);
        }
    }

    /** Returns the configuration of the protocol's handler; empty if no token is accepted. */
    public Optional<BearerConfig> role() {
        return issuers.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new BearerConfig(
                                issuers,
                                audiences,
                                authorizationUri,
                                rolesClaim,
                                readerRoles,
                                contributorRoles,
                                accounts,
                                clockSkewMax));
    }

    /** Returns the source of the issuer's keys; empty if no token is accepted. */
    public Optional<IssuerKeysConfig> keySource() {
        return issuers.isEmpty()
                ? Optional.empty()
                : Optional.of(new IssuerKeysConfig(keys, keysRefreshInterval, keysAgeMax));
    }
}
