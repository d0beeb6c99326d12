package io.parterre.deploy.certs.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.deploy.certs.plan.CertificatePolicy;
import io.parterre.deploy.certs.plan.WantedCertificate;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.Credentials;
import io.parterre.tls.PeerIdentity;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs against an API server; what processes would read of the Secrets is checked all the time. */
class CertificateRunIT {
    private static final Duration SETTLE = Duration.ofMinutes(5);
    private static final String CA = "t-ca";
    private static final WantedCertificate SERVER =
            new WantedCertificate(
                    "t-server-tls",
                    PeerName.any(PeerRole.SERVER),
                    Set.of("*.t-server.tables.svc.cluster.local", "localhost"));
    private static final WantedCertificate OPERATOR =
            new WantedCertificate("t-operator-tls", PeerName.of(PeerRole.ADMIN, "t"), Set.of());
    private static final List<WantedCertificate> WANTED = List.of(SERVER, OPERATOR);

    /** What a Secret of a certificate held from a moment on. */
    private record Version(
            String secret,
            Instant since,
            String serial,
            X509Certificate own,
            List<X509Certificate> trusted) {}

    @TempDir private Path folder;
    private FakeSecrets api;
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private final List<Version> history = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        api = new FakeSecrets(folder);
        api.afterWrite(this::note);
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private void note(String name) {
        if (name.equals(CA)) {
            return;
        }
        try {
            X509Certificate own = api.certificates(name, "tls.crt").get(0);
            history.add(
                    new Version(
                            name,
                            now,
                            own.getSerialNumber().toString(),
                            own,
                            api.certificates(name, "ca.crt")));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private InstantSource clock() {
        return () -> now;
    }

    private CertificateRun run(Optional<Instant> renewMadeBefore) {
        CertificatePolicy policy =
                new CertificatePolicy(
                        Duration.ofDays(90), Duration.ofDays(900), SETTLE, renewMadeBefore);
        return new CertificateRun(
                new PodAccount(api.address(), api.account()),
                "tables",
                new CertificateOrder(CA, WANTED, Map.of("app", "t"), policy),
                clock(),
                length -> now = now.plus(length),
                told::add);
    }

    private Optional<Instant> runOnce() throws InterruptedException {
        return run(Optional.empty()).run(Duration.ZERO);
    }

    private Credentials credentials(String secret) throws Exception {
        Path there = Files.createTempDirectory(folder, secret);
        for (Map.Entry<String, byte[]> each : api.data(secret).entrySet()) {
            Files.write(there.resolve(each.getKey()), each.getValue());
        }
        return Credentials.read(
                new CredentialFiles(
                        there.resolve("tls.crt"),
                        there.resolve("tls.key"),
                        Optional.of(there.resolve("ca.crt"))));
    }

    /** Each process may hold any version that was there less than the time to settle ago. */
    private void assertEverybodyTrustsEverybody() {
        for (Version shown : history) {
            for (Version judge : history) {
                if (overlap(shown, judge)) {
                    assertThat(judge.trusted())
                            .as(judge.secret() + " meets " + shown.secret() + " " + shown.serial())
                            .anyMatch(issuer -> isSignedBy(shown.own(), issuer));
                }
            }
        }
    }

    private boolean overlap(Version one, Version other) {
        return one.since().isBefore(end(other)) && other.since().isBefore(end(one));
    }

    private Instant end(Version version) {
        return history.stream()
                .filter(each -> each.secret().equals(version.secret()))
                .filter(each -> history.indexOf(each) > history.indexOf(version))
                .map(each -> each.since().plus(SETTLE))
                .findFirst()
                .orElse(Instant.MAX);
    }

    private static boolean isSignedBy(X509Certificate certificate, X509Certificate issuer) {
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException another) {
            return false;
        }
    }

    @Test
    void firstRunMakesAll_andTheNextChangesNothing() throws Exception {
        assertThat(runOnce()).isEmpty();
        Credentials server = credentials(SERVER.secret());
        assertThat(server.identity()).isEqualTo(new PeerIdentity(Set.of(SERVER.name())));
        assertThat(server.expiry()).isEqualTo(now.plus(Duration.ofDays(90)));
        assertThat(server.chain().get(0).getSubjectAlternativeNames())
                .extracting(each -> (Object) each.get(1))
                .contains("*.t-server.tables.svc.cluster.local", "localhost");
        assertThat(credentials(OPERATOR.secret()).identity())
                .isEqualTo(new PeerIdentity(Set.of(OPERATOR.name())));
        assertThat(api.secret(SERVER.secret()).path("type").asText())
                .isEqualTo("kubernetes.io/tls");
        assertThat(api.secret(CA).at("/metadata/labels/app").asText()).isEqualTo("t");
        assertThat(api.data(SERVER.secret())).containsOnlyKeys("tls.crt", "tls.key", "ca.crt");
        assertThat(api.data(CA)).containsOnlyKeys("tls.crt", "tls.key");
        assertThat(new String(api.data(SERVER.secret()).get("tls.key")))
                .isNotEqualTo(new String(api.data(CA).get("tls.key")));
        assertEverybodyTrustsEverybody();

        int writes = api.writes();
        assertThat(runOnce()).isEmpty();
        assertThat(api.writes()).isEqualTo(writes);
    }

    @Test
    void certificateIsRenewed_whenAThirdOfItsLifeIsLeft() throws Exception {
        runOnce();
        now = now.plus(Duration.ofDays(59));
        runOnce();
        assertThat(history).hasSize(2);
        now = now.plus(Duration.ofDays(1));
        runOnce();
        assertThat(history).hasSize(4);
        assertThat(credentials(SERVER.secret()).expiry()).isEqualTo(now.plus(Duration.ofDays(90)));
        assertEverybodyTrustsEverybody();
    }

    @Test
    void issuerIsRenewedInPhases_whenJobsRunFromTimeToTime() throws Exception {
        runOnce();
        now = now.plus(Duration.ofDays(600));
        assertThat(runOnce()).contains(now.plus(SETTLE));
        assertThat(api.certificates(SERVER.secret(), "ca.crt")).hasSize(2);
        // Again before it has settled: nothing.
        int writes = api.writes();
        now = now.plusSeconds(60);
        runOnce();
        assertThat(api.writes()).isEqualTo(writes);
        now = now.plus(Duration.ofHours(6));
        assertThat(runOnce()).contains(now.plus(SETTLE));
        now = now.plus(Duration.ofHours(6));
        assertThat(runOnce()).isEmpty();
        assertThat(api.certificates(SERVER.secret(), "ca.crt")).hasSize(1);
        assertThat(api.data(CA)).containsOnlyKeys("tls.crt", "tls.key");
        assertThat(credentials(SERVER.secret()).expiry())
                .isAfter(Instant.parse("2030-01-01T00:00:00Z").plus(Duration.ofDays(600)));
    }

    @Test
    void everybodyTrustsEverybody_whileAllIsRenewedOnDemand() throws Exception {
        runOnce();
        X509Certificate first = api.certificates(CA, "tls.crt").get(0);
        now = now.plus(Duration.ofHours(1));
        assertThat(run(Optional.of(now)).run(Duration.ofHours(1))).isEmpty();
        assertThat(api.certificates(CA, "tls.crt").get(0)).isNotEqualTo(first);
        assertThat(api.certificates(OPERATOR.secret(), "ca.crt"))
                .isEqualTo(api.certificates(CA, "tls.crt"));
        assertThat(told).filteredOn(each -> each.startsWith("waits until")).hasSize(2);
        assertEverybodyTrustsEverybody();
    }

    @Test
    void nextRunGoesOn_whereAnyWriteWasTheLast() throws Exception {
        for (int last = 0; last < 12; last++) {
            history.clear();
            for (String each : List.of(CA, SERVER.secret(), OPERATOR.secret())) {
                api.remove(each);
            }
            killedAfter(last);
            now = now.plus(Duration.ofMinutes(1));
            Instant demanded = now;
            run(Optional.of(demanded)).run(Duration.ofHours(1));
            assertThat(api.certificates(SERVER.secret(), "ca.crt"))
                    .as("killed after write %d", last)
                    .isEqualTo(api.certificates(CA, "tls.crt"));
            assertThat(api.data(CA)).containsOnlyKeys("tls.crt", "tls.key");
            assertEverybodyTrustsEverybody();
        }
    }

    /** Makes all and renews it, until the API takes no more. */
    private void killedAfter(int last) throws InterruptedException {
        int before = api.writes();
        api.beforeWrite(
                number -> {
                    if (number - before > last) {
                        throw new FakeSecrets.Refusal(403);
                    }
                });
        try {
            runOnce();
            now = now.plus(Duration.ofHours(1));
            run(Optional.of(now)).run(Duration.ofHours(1));
        } catch (SecretsException killed) {
            assertThat(killed).hasMessageContaining("403 no 403");
        } finally {
            api.beforeWrite(number -> {});
        }
    }

    @Test
    void secretIsReadAgain_whenSomebodyElseHasWrittenIt() throws Exception {
        runOnce();
        now = now.plus(Duration.ofDays(60));
        int before = api.writes();
        api.beforeWrite(
                number -> {
                    if (number == before + 1) {
                        api.touch(SERVER.secret());
                    }
                });
        assertThat(runOnce()).isEmpty();
        assertThat(told).contains(SERVER.secret() + ": changed by somebody else, read again");
        assertThat(credentials(SERVER.secret()).expiry()).isEqualTo(now.plus(Duration.ofDays(90)));
    }

    @Test
    void callIsTriedAgain_whenTheApiIsBusy() throws Exception {
        api.beforeWrite(
                number -> {
                    if (number < 4) {
                        throw new FakeSecrets.Refusal(number == 2 ? 429 : 503);
                    }
                });
        assertThat(runOnce()).isEmpty();
        assertThat(api.data(SERVER.secret())).isNotEmpty();
    }

    @Test
    void secretOfSomebodyElseIsNotTouched() {
        api.put(SERVER.secret(), "password", "x");
        assertThatThrownBy(this::runOnce)
                .isInstanceOf(SecretsException.class)
                .hasMessageContaining(
                        "secret t-server-tls: not made by this command (expected: annotation");
        assertThat(api.data(SERVER.secret())).containsOnlyKeys("password");
    }

    @Test
    void runIsRefused_whenTheTokenIsWrong() throws Exception {
        Files.writeString(api.account().resolve("token"), "another");
        assertThatThrownBy(this::runOnce)
                .isInstanceOf(SecretsException.class)
                .hasMessage("secret t-ca cannot be read: 401 no 401");
    }
}
