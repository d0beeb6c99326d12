package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.CertificateMaker;
import io.parterre.deploy.certs.Pem;
import io.parterre.deploy.certs.plan.CertificateStep;
import io.parterre.deploy.certs.plan.CertificateStep.DropIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.Issue;
import io.parterre.deploy.certs.plan.CertificateStep.MakeIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.MakeNextIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.PromoteIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.Trust;
import io.parterre.deploy.certs.plan.WantedCertificate;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Applies each step of a plan to the Secrets that were read. Signs; neither reads nor writes
 * Secrets.
 *
 * @param state the Secrets as read
 */
record CertificateSteps(CertificateOrder order, SecretsState state, Instant now) {
    private static final String ISSUER_TYPE = "Opaque";
    private static final String ROLE_TYPE = "kubernetes.io/tls";

    /** A Secret to write, and the line to print afterwards. */
    record Change(Secret secret, String told) {}

    @FunctionalInterface
    private interface Making {
        Change run() throws GeneralSecurityException, IOException;
    }

    Change change(CertificateStep step) {
        Making making =
                step.match(
                        new CertificateStep.Cases<>() {
                            @Override
                            public Making makeIssuer(MakeIssuer first) {
                                return () ->
                                        issuers(IssuerSecret.first(newIssuer()), "issuer made");
                            }

                            @Override
                            public Making makeNextIssuer(MakeNextIssuer next) {
                                return () ->
                                        issuers(
                                                known().with(newIssuer()),
                                                "next issuer made; it is trusted from now on");
                            }

                            @Override
                            public Making promoteIssuer(PromoteIssuer promotion) {
                                return () ->
                                        issuers(known().promoted(), "the next issuer signs now");
                            }

                            @Override
                            public Making dropIssuer(DropIssuer drop) {
                                return () ->
                                        issuers(
                                                known().withoutPrevious(),
                                                "the previous issuer is trusted no longer");
                            }

                            @Override
                            public Making issue(Issue issue) {
                                return () -> issued(issue);
                            }

                            @Override
                            public Making trust(Trust trust) {
                                return () -> trusted(trust.wanted());
                            }
                        });
        try {
            return making.run();
        } catch (GeneralSecurityException | IOException e) {
            throw new SecretsException("no certificate made: " + e.getMessage(), e);
        }
    }

    private IssuerSecret known() {
        return state.issuers().orElseThrow();
    }

    /** Makes an issuer with a unique name, because peers look issuers up by name first. */
    private SigningKey newIssuer() throws GeneralSecurityException, IOException {
        return SigningKey.of(
                new CertificateMaker(now)
                        .issuer(
                                order.issuerSecret() + " " + now.truncatedTo(ChronoUnit.SECONDS),
                                order.policy().issuerValidity()));
    }

    private Change issuers(IssuerSecret issuers, String told) throws GeneralSecurityException {
        return new Change(
                secret(order.issuerSecret(), ISSUER_TYPE, issuers.data()),
                order.issuerSecret() + ": " + told);
    }

    private Change issued(Issue issue) throws GeneralSecurityException, IOException {
        WantedCertificate wanted = issue.wanted();
        CertificateMaker.Issued signer = known().current().signer();
        CertificateMaker.Issued made =
                new CertificateMaker(now)
                        .issue(
                                signer,
                                wanted.secret(),
                                List.of(wanted.name()),
                                wanted.hosts().stream().sorted().toList(),
                                validity(signer.certificate()));
        made.certificate().verify(signer.certificate().getPublicKey());
        Map<String, Optional<byte[]>> data = new HashMap<>();
        data.put(RoleSecret.CERTIFICATE, Secret.text(Pem.of(List.of(made.certificate()))));
        data.put(RoleSecret.KEY, Secret.text(Pem.of(made.key())));
        data.put(RoleSecret.TRUSTED, Secret.text(Pem.of(known().trusted())));
        return new Change(
                secret(wanted.secret(), ROLE_TYPE, data),
                wanted.secret()
                        + ": "
                        + wanted.name()
                        + " issued until "
                        + made.certificate().getNotAfter().toInstant()
                        + ", "
                        + issue.reason());
    }

    /** Returns the validity of a certificate, which never ends after its issuer's. */
    private Duration validity(X509Certificate issuer) {
        Duration left = Duration.between(now, issuer.getNotAfter().toInstant());
        Duration wanted = order.policy().validity();
        return left.compareTo(wanted) < 0 ? left : wanted;
    }

    private Change trusted(WantedCertificate wanted) throws GeneralSecurityException {
        return new Change(
                secret(
                        wanted.secret(),
                        ROLE_TYPE,
                        Map.of(RoleSecret.TRUSTED, Secret.text(Pem.of(known().trusted())))),
                wanted.secret() + ": trusts " + known().trusted().size() + " issuers");
    }

    private Secret secret(String name, String type, Map<String, Optional<byte[]>> data) {
        return new Secret(
                name,
                type,
                Optional.ofNullable(state.versions().get(name)),
                order.labels(),
                Map.of(SecretsState.CHANGED, now.toString()),
                data);
    }
}
