package io.parterre.deploy.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parterre.tls.CredentialFiles;
import io.parterre.tls.Credentials;
import io.parterre.tls.CredentialsException;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import io.parterre.tls.PeerRule;
import io.parterre.tls.WatchedCredentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of certificates that are replaced while a process runs. */
class WatchedCredentialsIT {
    private static final PeerName S1 = PeerName.of(PeerRole.SERVER, "s1");
    private static final Duration OFTEN = Duration.ofMillis(20);

    @TempDir private Path folder;

    private TestCertificates issuer;
    private CredentialFiles used;
    private final Told told = new Told();

    private static final class Told implements WatchedCredentials.Listener {
        private final List<Credentials> taken = new CopyOnWriteArrayList<>();
        private final List<String> kept = new CopyOnWriteArrayList<>();

        @Override
        public void taken(Credentials credentials) {
            taken.add(credentials);
        }

        @Override
        public void kept(String reason) {
            kept.add(reason);
        }
    }

    @BeforeEach
    void issue() {
        issuer = new TestCertificates(folder);
        used = issuer.issue("used", S1);
    }

    private WatchedCredentials open() throws CredentialsException {
        return WatchedCredentials.open(used, PeerRule.only(S1), OFTEN, told);
    }

    private static void replace(CredentialFiles files, CredentialFiles by) {
        TestCertificates.replace(files.certificateChain(), by.certificateChain());
        TestCertificates.replace(files.privateKey(), by.privateKey());
    }

    @Test
    void newContextIsUsed_whenFilesAreReplaced() throws Exception {
        try (WatchedCredentials watched = open()) {
            Supplier<SSLContext> contexts =
                    watched.contexts(PeerRule.anyone(), true, refusal -> {});
            SSLContext before = contexts.get();
            assertThat(contexts.get()).isSameAs(before);
            replace(used, issuer.issue("next", S1));
            await().until(() -> told.taken.size() == 2);
            assertThat(contexts.get()).isNotSameAs(before);
            assertThat(watched.current()).isSameAs(told.taken.get(1));
        }
    }

    @Test
    void certificateIsKept_untilItsKeyIsThere() throws Exception {
        CredentialFiles next = issuer.issue("next", S1);
        try (WatchedCredentials watched = open()) {
            Credentials before = watched.current();
            TestCertificates.replace(used.certificateChain(), next.certificateChain());
            await().until(watched::isStale);
            assertThat(watched.current()).isSameAs(before);
            assertThat(told.kept)
                    .singleElement()
                    .asString()
                    .contains(used.privateKey() + ": not the key of the first certificate in ");
            TestCertificates.replace(used.privateKey(), next.privateKey());
            await().until(() -> told.taken.size() == 2);
            assertThat(watched.isStale()).isFalse();
        }
    }

    @Test
    void earlierCredentialsStay_whenFilesAreBroken() throws Exception {
        String key = Files.readString(used.privateKey());
        try (WatchedCredentials watched = open()) {
            Credentials before = watched.current();
            Files.writeString(used.privateKey(), key.substring(0, key.length() / 2));
            await().until(watched::isStale);
            Files.delete(used.privateKey());
            await().until(() -> told.kept.size() >= 2);
            assertThat(watched.current()).isSameAs(before);
            assertThat(told.kept)
                    .allSatisfy(reason -> assertThat(reason).doesNotContain(key.substring(30, 60)));
            Files.writeString(used.privateKey(), key);
            await().until(() -> !watched.isStale());
            assertThat(told.taken).containsExactly(before);
        }
    }

    @Test
    void certificateOfAnotherNodeIsRefused_atStartAndLater() throws Exception {
        CredentialFiles other = issuer.issue("other", PeerName.of(PeerRole.SERVER, "s2"));
        assertThatThrownBy(() -> WatchedCredentials.open(other, PeerRule.only(S1), OFTEN, told))
                .isInstanceOf(CredentialsException.class)
                .hasMessageContaining("the certificate is of server s2 (expected: server s1)");
        try (WatchedCredentials watched = open()) {
            Credentials before = watched.current();
            replace(used, other);
            await().until(() -> told.kept.stream().anyMatch(each -> each.contains("server s2")));
            assertThat(watched.current()).isSameAs(before);
        }
    }

    @Test
    void filesAreRefused_whenTheyHoldNoCertificateOrKey() throws Exception {
        Path empty = Files.createFile(folder.resolve("empty.pem"));
        assertThatThrownBy(
                        () ->
                                Credentials.read(
                                        new CredentialFiles(
                                                empty,
                                                used.privateKey(),
                                                used.trustedCertificates())))
                .hasMessage(empty + ": no certificates (expected: PEM, one or more)");
        assertThatThrownBy(
                        () ->
                                Credentials.read(
                                        new CredentialFiles(
                                                used.certificateChain(),
                                                used.certificateChain(),
                                                used.trustedCertificates())))
                .hasMessageContaining(
                        ": no private key for EC (expected: PEM, PKCS#8, not encrypted)");
        assertThatThrownBy(
                        () ->
                                Credentials.read(
                                        TestCertificates.trusting(used, folder.resolve("none"))))
                .hasMessage(folder.resolve("none") + ": no such file");
    }

    @Test
    void keysAreForTheirOwnerAlone() throws Exception {
        for (Path key : List.of(used.privateKey(), folder.resolve("ca.key"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                    .isEqualTo("rw-------");
        }
    }
}
