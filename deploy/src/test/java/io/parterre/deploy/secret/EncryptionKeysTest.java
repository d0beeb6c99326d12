package io.parterre.deploy.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.deploy.config.SecretsSection;
import io.parterre.manager.secret.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys from files and commands. */
@Timeout(60)
class EncryptionKeysTest {
    private static final byte[] KEY = new byte[KeyRing.KEY_BYTES];
    private static final String BASE64 = Base64.getEncoder().encodeToString(KEY);
    private static final String HEX = "ff".repeat(KeyRing.KEY_BYTES);
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir private Path folder;

    private Path file(String text) throws IOException {
        Path file = folder.resolve("keys");
        Files.writeString(file, text);
        return file;
    }

    private static KeyRing read(Path file) throws IOException {
        return EncryptionKeys.read(new SecretsSection(Optional.of(file), "", SOON));
    }

    private static KeyRing run(String command, Duration timeout) throws IOException {
        return EncryptionKeys.read(new SecretsSection(Optional.empty(), command, timeout));
    }

    private String script(String body) throws IOException {
        Path script = folder.resolve("print-keys");
        Files.writeString(script, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return script.toString();
    }

    @Test
    void fileGivesItsKeysInOrder_inEitherForm() throws IOException {
        KeyRing ring = read(file("# newest first\n" + HEX + "\n\n  " + BASE64 + "  \n"));
        assertThat(ring.ids()).hasSize(2);
        assertThat(read(file(BASE64)).ids()).isEqualTo(ring.ids().subList(1, 2));
        assertThat(read(file(HEX.toUpperCase(Locale.ROOT))).ids())
                .isEqualTo(ring.ids().subList(0, 1));
    }

    @Test
    void fileIsRefused_withoutShowingWhatIsInIt() throws IOException {
        Path file = file(HEX + "\nhunter2\n");
        assertThatThrownBy(() -> read(file))
                .hasMessage(
                        "secrets.keyFile: "
                                + file
                                + ": line 2 is no key (expected: 32 bytes in Base64 or"
                                + " hexadecimal)");
        String almost = HEX.substring(1) + "g";
        assertThatThrownBy(() -> read(file(almost)))
                .hasMessageContaining("line 1 is no key")
                .hasNoCause();
        assertThatThrownBy(() -> read(file("# nothing\n")))
                .hasMessageContaining("no key (expected: at least one line)");
        assertThatThrownBy(() -> read(file(HEX + "\n" + HEX)))
                .hasMessageContaining("twice (expected: each key once)");
        assertThatThrownBy(() -> read(folder.resolve("missing"))).hasMessageContaining("missing");
    }

    @Test
    void noSourceGivesNoKeys() throws IOException {
        assertThat(EncryptionKeys.read(SecretsSection.DEFAULT).isEmpty()).isTrue();
    }

    @Test
    void commandGivesItsKeys_withArguments() throws IOException {
        String command = script("echo \"$1\"; echo \"$2\"") + " " + HEX + "  " + BASE64;
        assertThat(run(command, SOON).ids()).isEqualTo(read(file(HEX + "\n" + BASE64)).ids());
    }

    @Test
    void commandIsRefused_whenItFails() throws IOException {
        String failing = script("echo " + HEX + "; exit 3");
        assertThatThrownBy(() -> run(failing, SOON))
                .hasMessage("secrets.keyCommand: " + failing + " ended with code 3 (expected: 0)");
        assertThatThrownBy(() -> run(folder.resolve("missing") + " token", SOON))
                .hasMessageContaining("cannot be started")
                .hasMessageNotContaining("token");
        assertThatThrownBy(() -> run(script("yes"), SOON))
                .hasMessageContaining("prints more than 65536 bytes");
        String chatty = script("echo not-a-key");
        assertThatThrownBy(() -> run(chatty, SOON))
                .hasMessageContaining("line 1 is no key")
                .hasMessageNotContaining("not-a-key");
    }

    @Test
    void commandIsKilled_whenItTakesTooLong() throws IOException {
        assertThatThrownBy(() -> run(script("sleep 600"), Duration.ofMillis(300)))
                .hasMessageContaining("takes longer than 300 ms");
    }

    @Test
    void fileThatOthersReadIsNamed() throws IOException {
        Path file = file(HEX);
        for (String fine : List.of("rw-------", "rw-r-----", "r--r-----")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(fine));
            assertThat(KeyFileAccess.warning(file)).as(fine).isEmpty();
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(KeyFileAccess.warning(file).orElseThrow())
                .contains("every user of this machine may read the key");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
        assertThat(KeyFileAccess.warning(file).orElseThrow())
                .contains("others than its owner may change the key");
    }
}
