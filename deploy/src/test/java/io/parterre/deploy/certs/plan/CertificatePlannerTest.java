package io.parterre.deploy.certs.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.parterre.deploy.certs.plan.CertificateStep.DropIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.Issue;
import io.parterre.deploy.certs.plan.CertificateStep.MakeIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.MakeNextIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.PromoteIssuer;
import io.parterre.deploy.certs.plan.CertificateStep.Reason;
import io.parterre.deploy.certs.plan.CertificateStep.Trust;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which certificates are made, kept and dropped. Days are counted from the first one. */
class CertificatePlannerTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
    private static final Duration SETTLE = Duration.ofMinutes(5);
    private static final int DAYS = 90;
    private static final int ISSUER_DAYS = 900;

    private static final WantedCertificate SERVER =
            new WantedCertificate(
                    "server", PeerName.any(PeerRole.SERVER), Set.of("*.server.example.com"));
    private static final WantedCertificate FRONT_END =
            new WantedCertificate("front-end", PeerName.any(PeerRole.FRONT_END), Set.of());
    private static final List<WantedCertificate> WANTED = List.of(SERVER, FRONT_END);

    private static Instant day(double day) {
        return START.plusSeconds((long) (day * 86_400));
    }

    private static Issuer issuer(String id, double made) {
        return new Issuer(id, day(made), day(made + ISSUER_DAYS));
    }

    private static final Issuer A = issuer("a", 0);

    private static final Issuers ONE = new Issuers(A, Optional.empty(), Optional.empty());

    private static final Issuers BEFORE_CHANGE =
            new Issuers(A, Optional.of(issuer("b", 650)), Optional.empty());
    private static final Issuers AFTER_CHANGE =
            new Issuers(issuer("b", 650), Optional.empty(), Optional.of(A));

    private static HeldCertificate held(
            WantedCertificate wanted, String issuer, double made, String... trusted) {
        return new HeldCertificate(
                Optional.of(
                        new HeldCertificate.Shown(
                                Set.of(wanted.name()),
                                wanted.hosts(),
                                Optional.of(issuer),
                                day(made),
                                day(made + DAYS))),
                Set.of(trusted),
                day(made));
    }

    /** Both Secrets, the same in either. */
    private static Map<String, HeldCertificate> both(
            String issuer, double made, String... trusted) {
        return Map.of(
                SERVER.secret(), held(SERVER, issuer, made, trusted),
                FRONT_END.secret(), held(FRONT_END, issuer, made, trusted));
    }

    private static Map<String, HeldCertificate> with(
            Map<String, HeldCertificate> others, HeldCertificate server) {
        Map<String, HeldCertificate> changed = new HashMap<>(others);
        changed.put(SERVER.secret(), server);
        return changed;
    }

    private static Map<String, HeldCertificate> frontEndAlone() {
        return Map.of(FRONT_END.secret(), held(FRONT_END, "a", 0, "a"));
    }

    private static List<CertificateStep> issueBoth(Reason reason) {
        return List.of(new Issue(SERVER, reason), new Issue(FRONT_END, reason));
    }

    private static List<CertificateStep> trustBoth() {
        return List.of(new Trust(SERVER), new Trust(FRONT_END));
    }

    private static HeldCertificate unreadable() {
        return new HeldCertificate(Optional.empty(), Set.of("a"), day(0));
    }

    private static HeldCertificate ofOtherHosts() {
        WantedCertificate other =
                new WantedCertificate("server", SERVER.name(), Set.of("other.example.com"));
        return held(other, "a", 0, "a");
    }

    private static HeldCertificate ofOtherRole() {
        WantedCertificate other =
                new WantedCertificate("server", PeerName.any(PeerRole.MANAGER), SERVER.hosts());
        return held(other, "a", 0, "a");
    }

    static Stream<Arguments> situations() {
        List<CertificateStep> nothing = List.of();
        return Stream.of(
                arguments("nothing yet", null, Map.of(), 0.0, List.of(new MakeIssuer())),
                arguments("an issuer alone", ONE, Map.of(), 0.0, issueBoth(Reason.MISSING)),
                arguments(
                        "one is missing",
                        ONE,
                        frontEndAlone(),
                        1.0,
                        List.of(new Issue(SERVER, Reason.MISSING))),
                arguments("all there", ONE, both("a", 0, "a"), 59.9, nothing),
                arguments("a third is left", ONE, both("a", 0, "a"), 60.0, issueBoth(Reason.ENDS)),
                arguments("long over", ONE, both("a", 0, "a"), 200.0, issueBoth(Reason.ENDS)),
                arguments(
                        "unreadable",
                        ONE,
                        with(both("a", 0, "a"), unreadable()),
                        1.0,
                        List.of(new Issue(SERVER, Reason.UNREADABLE))),
                arguments(
                        "other hosts",
                        ONE,
                        with(both("a", 0, "a"), ofOtherHosts()),
                        1.0,
                        List.of(new Issue(SERVER, Reason.OTHER_NAMES))),
                arguments(
                        "other role",
                        ONE,
                        with(both("a", 0, "a"), ofOtherRole()),
                        1.0,
                        List.of(new Issue(SERVER, Reason.OTHER_NAMES))),
                arguments(
                        "an issuer too many is trusted",
                        ONE,
                        both("a", 0, "a", "x"),
                        1.0,
                        trustBoth()),
                // The issuer's change: nobody is renewed first, the next issuer's turn comes soon.
                arguments("issuer not due", ONE, both("a", 590, "a"), 599.9, nothing),
                arguments(
                        "issuer due",
                        ONE,
                        both("a", 500, "a"),
                        600.0,
                        List.of(new MakeNextIssuer())),
                arguments(
                        "next issuer is not trusted yet",
                        BEFORE_CHANGE,
                        both("a", 640, "a"),
                        650.0,
                        trustBoth()),
                arguments(
                        "one does not trust the next issuer yet",
                        BEFORE_CHANGE,
                        with(both("a", 640, "a", "b"), held(SERVER, "a", 640, "a")),
                        650.0,
                        List.of(new Trust(SERVER))),
                arguments(
                        "missing while the next issuer waits: the current one signs",
                        BEFORE_CHANGE,
                        frontEndAlone(),
                        50.0,
                        List.of(new Issue(SERVER, Reason.MISSING), new Trust(FRONT_END))),
                arguments("not settled", BEFORE_CHANGE, both("a", 650, "a", "b"), 650.003, nothing),
                arguments(
                        "one has not settled",
                        BEFORE_CHANGE,
                        with(both("a", 640, "a", "b"), held(SERVER, "a", 650, "a", "b")),
                        650.003,
                        nothing),
                arguments(
                        "settled",
                        BEFORE_CHANGE,
                        both("a", 650, "a", "b"),
                        650.004,
                        List.of(new PromoteIssuer())),
                arguments(
                        "promoted",
                        AFTER_CHANGE,
                        both("a", 650, "a", "b"),
                        651.0,
                        issueBoth(Reason.OTHER_ISSUER)),
                arguments(
                        "renewed, not settled",
                        AFTER_CHANGE,
                        both("b", 651, "a", "b"),
                        651.003,
                        nothing),
                arguments(
                        "one is left of the previous issuer",
                        AFTER_CHANGE,
                        with(both("b", 651, "a", "b"), held(SERVER, "a", 650, "a", "b")),
                        652.0,
                        List.of(new Issue(SERVER, Reason.OTHER_ISSUER))),
                arguments(
                        "renewed and settled",
                        AFTER_CHANGE,
                        both("b", 651, "a", "b"),
                        651.004,
                        List.of(new DropIssuer())),
                arguments(
                        "dropped",
                        new Issuers(issuer("b", 650), Optional.empty(), Optional.empty()),
                        both("b", 651, "a", "b"),
                        652.0,
                        trustBoth()),
                arguments(
                        "issuer has ended",
                        ONE,
                        both("a", 800, "a"),
                        900.0,
                        List.of(new MakeNextIssuer())),
                arguments(
                        "issuer has ended, and the next one is there",
                        BEFORE_CHANGE,
                        both("a", 800, "a"),
                        900.0,
                        List.of(new PromoteIssuer())));
    }

    private static CertificatePlan plan(
            Optional<Instant> renew,
            Issuers issuers,
            Map<String, HeldCertificate> held,
            Instant now) {
        CertificatePolicy policy =
                new CertificatePolicy(
                        Duration.ofDays(DAYS), Duration.ofDays(ISSUER_DAYS), SETTLE, renew);
        return new CertificatePlanner(policy).plan(Optional.ofNullable(issuers), WANTED, held, now);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void stepsFollowFromWhatIsThere(
            String situation,
            Issuers issuers,
            Map<String, HeldCertificate> held,
            double day,
            List<CertificateStep> expected) {
        assertThat(plan(Optional.empty(), issuers, held, day(day)).steps()).isEqualTo(expected);
    }

    @Test
    void planSaysWhenItGoesOn_whileAChangeSettles() {
        Instant changed = day(650);
        assertThat(
                        plan(
                                        Optional.empty(),
                                        BEFORE_CHANGE,
                                        both("a", 650, "a", "b"),
                                        changed.plusSeconds(1))
                                .next())
                .contains(changed.plus(SETTLE));
        assertThat(plan(Optional.empty(), ONE, both("a", 0, "a"), day(1)).next()).isEmpty();
    }

    @Test
    void youngIssuerIsRenewed_whenAskedFor() {
        Map<String, HeldCertificate> held = both("a", 0, "a");
        assertThat(plan(Optional.of(day(1)), ONE, held, day(1)).steps())
                .containsExactly(new MakeNextIssuer());
        // The one that this made is not older than the demand.
        assertThat(plan(Optional.of(A.made()), ONE, held, day(1)).steps()).isEmpty();
    }

    @Test
    void policyIsRefused_whenCertificatesOutliveTheirIssuer() {
        assertThatThrownBy(
                        () ->
                                new CertificatePolicy(
                                        Duration.ofDays(31),
                                        Duration.ofDays(90),
                                        SETTLE,
                                        Optional.empty()))
                .hasMessageContaining(
                        "31 days (expected: at most a third of the issuer's, 90 days");
    }
}
