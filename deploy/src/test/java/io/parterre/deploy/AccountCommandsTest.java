package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.proto.admin.CreateAccountRequest;
import io.parterre.proto.admin.RotateKeyRequest;
import io.parterre.proto.admin.SuspendAccountRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code account}. */
class AccountCommandsTest extends OperatorShell {
    @Test
    void accountCommandsCreateListRotateAndSuspend() {
        assertThat(run("account", "create", "orders", "--key=c2VjcmV0", "--manager=m2:2")).isZero();
        assertThat(run("account", "list", "--manager=m2:2")).isZero();
        assertThat(run("account", "rotate-key", "orders", "2", "--manager=m2:2")).isZero();
        assertThat(run("account", "suspend", "orders", "--manager=m2:2")).isZero();
        assertThat(run("account", "resume", "orders", "--manager=m2:2", "--dry-run")).isZero();
        assertThat(leader.heard)
                .contains(
                        CreateAccountRequest.newBuilder()
                                .setName("orders")
                                .setKey(ByteString.copyFromUtf8("secret"))
                                .build(),
                        RotateKeyRequest.newBuilder().setName("orders").setKeyNumber(2).build(),
                        SuspendAccountRequest.newBuilder()
                                .setName("orders")
                                .setSuspended(true)
                                .build(),
                        SuspendAccountRequest.newBuilder()
                                .setName("orders")
                                .setDryRun(true)
                                .build());
        assertThat(out.toString())
                .contains("account orders\nkey 1   bWFkZQ==\n")
                .containsPattern("orders +7 +suspended")
                .endsWith("suspended\nwould: resumed\n");
    }

    @Test
    void invalidAccountKeyIsRejected_withoutPrintingIt() {
        assertThat(run("account", "create", "orders", "--key=s:cret", "--manager=m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("--key: (expected: Base64)").doesNotContain("s:cret");
        assertThat(run("account", "rotate-key", "orders", "3", "--manager=m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(leader.heard).isEmpty();
    }

    @Test
    void encryptionIsShown_withWhatIsInItsWay() {
        leader.encryptionKeyId = "k2";
        leader.accountKeyIds = new ArrayList<>(List.of(List.of("k1", "")));
        leader.encryptionHindrance = "managers m3 do not have key k2";
        assertThat(run("account", "encryption", "--manager=m2:2"))
                .isEqualTo(ExitCode.NOT_YET.code());
        assertThat(out.toString())
                .containsPattern("orders +k1, in clear")
                .endsWith(
                        "1 accounts are to be encrypted with key k2: managers m3 do not have key"
                                + " k2\n");
    }

    @Test
    void encryptionIsAwaited_whenAsked() {
        leader.encryptionKeyId = "k2";
        leader.accountKeyIds =
                new ArrayList<>(List.of(List.of("k1"), List.of("k1"), List.of("k2", "k2")));
        assertThat(run("account", "encryption", "--wait", "--manager=m2:2")).isZero();
        assertThat(out.toString()).endsWith("encrypted with key k2\n");
        assertThat(err.toString()).contains("1 accounts are to be encrypted with key k2");
    }

    @Test
    void waitForEncryptionIsRefused_withoutAKey() {
        assertThat(run("account", "encryption", "--manager=m2:2")).isZero();
        assertThat(out.toString()).endsWith("the leading manager has no key to encrypt with\n");
        assertThat(run("account", "encryption", "--wait", "--manager=m2:2"))
                .isEqualTo(ExitCode.REFUSED.code());
        assertThat(err.toString()).contains("secrets.keyFile");
    }

    @Test
    void rotateKeyNamesFrontEndsThatHaveNotHeard() {
        leader.accountsVersion = 8;
        assertThat(run("account", "rotate-key", "orders", "2", "--manager=m2:2")).isZero();
        assertThat(out.toString().lines().toList())
                .contains("key 1   bWFkZQ==")
                .endsWith(
                        "not heard by front end f2 at f2:10002, silent for 30 s: it goes by the"
                                + " accounts of before")
                .noneMatch(line -> line.contains("f1"));
        out.getBuffer().setLength(0);
        assertThat(run("account", "rotate-key", "orders", "2", "--json", "--manager=m2:2"))
                .isZero();
        assertThat(out.toString()).contains("unheardFrontEnds").contains("f2:10002");
    }

    @Test
    void rotateKeyNamesNoFrontEnd_whenAllHaveHeard() {
        leader.accountsVersion = 7;
        assertThat(run("account", "rotate-key", "orders", "2", "--manager=m2:2")).isZero();
        assertThat(out.toString()).doesNotContain("not heard");
    }
}
