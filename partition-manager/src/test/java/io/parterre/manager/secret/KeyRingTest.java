package io.parterre.manager.secret;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.AccountId;
import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.AccountOrigin;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.EncryptedKey;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.reason.ReasonText;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyRingTest {
    private static final AccountName ORDERS = new AccountName("orders");
    private static final AccountName OTHERS = new AccountName("others");
    private static final AccountKey SECRET = AccountKey.of("secret".getBytes(UTF_8));
    private static final KeyRing RING = ring(1);
    private static final String ID = RING.ids().get(0);

    private static KeyRing ring(int... seeds) {
        return KeyRing.of(Arrays.stream(seeds).mapToObj(KeyRingTest::key).toList());
    }

    private static byte[] key(int seed) {
        byte[] key = new byte[KeyRing.KEY_BYTES];
        Arrays.fill(key, (byte) seed);
        return key;
    }

    /** As the first release that encrypts wrote it. */
    @Test
    void keyOfFirstFormatDecrypts() {
        assertThat(ID).isEqualTo("7e2eeef867e1d944");
        EncryptedKey stored =
                new EncryptedKey(
                        ID,
                        HexFormat.of().parseHex("000102030405060708090a0b"),
                        HexFormat.of().parseHex("c8c3f654458abab00a4b441ab9bf86a63c8fb6767d6a"));
        assertThat(RING.decrypt(ORDERS, stored)).isEqualTo(SECRET);
    }

    @Test
    void keyDecryptsToItself_andEachEncryptionDiffers() {
        EncryptedKey one = RING.encrypt(ID, ORDERS, SECRET);
        EncryptedKey other = RING.encrypt(ID, ORDERS, SECRET);
        assertThat(one).isNotEqualTo(other);
        assertThat(RING.decrypt(ORDERS, one)).isEqualTo(SECRET);
        assertThat(RING.decrypt(ORDERS, other)).isEqualTo(SECRET);
        assertThat(RING.decrypt(ORDERS, SECRET)).as("in clear").isEqualTo(SECRET);
        assertThat(HexFormat.of().formatHex(one.ciphertext()))
                .doesNotContain(HexFormat.of().formatHex(SECRET.toBytes()));
    }

    @Test
    void keyIsUnreadable_forAnotherAccount() {
        EncryptedKey stored = RING.encrypt(ID, ORDERS, SECRET);
        assertThatThrownBy(() -> RING.decrypt(OTHERS, stored))
                .isInstanceOf(UnreadableKeyException.class)
                .hasMessage(
                        "a key of account others does not decrypt with key "
                                + ID
                                + ": it is damaged, or of another account");
    }

    @Test
    void keyIsUnreadable_whenAnyByteChanges() {
        EncryptedKey stored = RING.encrypt(ID, ORDERS, SECRET);
        for (int i = 0; i < stored.ciphertext().length; i++) {
            byte[] changed = stored.ciphertext();
            changed[i] ^= 1;
            EncryptedKey damaged = new EncryptedKey(ID, stored.nonce(), changed);
            assertThatThrownBy(() -> RING.decrypt(ORDERS, damaged))
                    .isInstanceOf(UnreadableKeyException.class);
        }
        byte[] nonce = stored.nonce();
        nonce[0] ^= 1;
        EncryptedKey damaged = new EncryptedKey(ID, nonce, stored.ciphertext());
        assertThatThrownBy(() -> RING.decrypt(ORDERS, damaged))
                .isInstanceOf(UnreadableKeyException.class);
    }

    @Test
    void ringNamesTheKeyThatItLacks() {
        ClusterAccount account =
                new ClusterAccount(
                        new AccountId(1),
                        ORDERS,
                        List.of(SECRET, RING.encrypt(ID, ORDERS, SECRET)),
                        false,
                        AccountOrigin.CREATED);
        assertThat(RING.unreadable(List.of(account))).isEmpty();
        assertThat(ring(2, 1).unreadable(List.of(account))).as("an older key").isEmpty();
        assertThat(ring(2).unreadable(List.of(account)).map(ReasonText::of).orElseThrow())
                .contains("keys of account orders are encrypted with key " + ID);
        assertThat(KeyRing.NONE.unreadable(List.of(account))).isPresent();
    }

    @Test
    void commandHoldsNoClearKey_onceEncrypted() {
        for (MapCommand command :
                List.of(
                        new MapCommand.EnsureAccount(ORDERS, List.of(SECRET, SECRET), true),
                        new MapCommand.CreateAccount(ORDERS, List.of(SECRET)),
                        new MapCommand.RotateKey(ORDERS, 2, SECRET))) {
            assertThat(KeyedCommand.holdsClearKey(command)).isTrue();
            MapCommand encrypted = KeyedCommand.encrypted(command, RING, ID);
            assertThat(KeyedCommand.holdsClearKey(encrypted)).isFalse();
            assertThat(encrypted).hasSameClassAs(command);
        }
        MapCommand suspend = new MapCommand.SuspendAccount(ORDERS, true);
        assertThat(KeyedCommand.holdsClearKey(suspend)).isFalse();
        assertThat(KeyedCommand.encrypted(suspend, RING, ID)).isSameAs(suspend);
    }

    @Test
    void ringIsRefused_whenKeyIsShortOrTwice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRing.of(List.of(new byte[31])))
                .withMessage("a key of 31 bytes (expected: 32)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring(1, 1))
                .withMessage("key " + ID + " twice (expected: each key once)");
    }

    @Test
    void textOfRingTellsIdsOnly() {
        assertThat(RING).hasToString("KeyRing[" + ID + "]");
        assertThat(RING.encrypt(ID, ORDERS, SECRET)).hasToString("EncryptedKey[" + ID + "]");
    }
}
