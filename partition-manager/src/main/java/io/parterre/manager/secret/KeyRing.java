package io.parterre.manager.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.EncryptedKey;
import io.parterre.manager.map.StoredKey;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encryption keys for accounts' keys: AES-256-GCM with a random nonce for each encryption. The
 * account's name is authenticated, so an encrypted key is useless for another account. The text
 * form reveals ids only. Immutable and thread-safe.
 */
public final class KeyRing {
    public static final int KEY_BYTES = 32;

    /** A ring without keys, which encrypts nothing. */
    public static final KeyRing NONE = new KeyRing(Map.of());

    private static final int ID_BYTES = 8;

    /** Separates this hash from any other use of such a key. */
    private static final byte[] ID_DOMAIN = "parterre key id\0".getBytes(UTF_8);

    private static final byte[] ACCOUNT_DOMAIN = "parterre account key\0".getBytes(UTF_8);

    private final Map<String, SecretKey> keys;
    private final SecureRandom random = new SecureRandom();

    private KeyRing(Map<String, SecretKey> keys) {
        this.keys = keys;
    }

    /**
     * Creates a ring of these encryption keys. The first one encrypts where the cluster allows it,
     * all decrypt.
     *
     * @throws IllegalArgumentException if a key has another length than {@link #KEY_BYTES}, or
     *     occurs twice
     */
    public static KeyRing of(List<byte[]> keys) {
        Map<String, SecretKey> byId = new LinkedHashMap<>();
        for (byte[] key : keys) {
            if (key.length != KEY_BYTES) {
                throw new IllegalArgumentException(
                        "a key of " + key.length + " bytes (expected: " + KEY_BYTES + ")");
            }
            if (byId.put(id(key), new SecretKeySpec(key, "AES")) != null) {
                throw new IllegalArgumentException(
                        "key " + id(key) + " twice (expected: each key once)");
            }
        }
        return new KeyRing(byId);
    }

    /** Returns an id that reveals nothing about a key that is not guessable. */
    private static String id(byte[] key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(ID_DOMAIN);
            return HexFormat.of().formatHex(digest.digest(key), 0, ID_BYTES);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** Returns the ids of the keys, in their order. */
    public List<String> ids() {
        return List.copyOf(keys.keySet());
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /**
     * Returns an account's key, encrypted.
     *
     * @param keyId of an encryption key in this ring
     */
    public EncryptedKey encrypt(String keyId, AccountName account, AccountKey key) {
        byte[] nonce = new byte[EncryptedKey.NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] ciphertext =
                    cipher(Cipher.ENCRYPT_MODE, keyId, nonce, account).doFinal(key.toBytes());
            return new EncryptedKey(keyId, nonce, ciphertext);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** Returns all of an account's keys, encrypted with this encryption key. */
    public List<EncryptedKey> encrypted(String keyId, ClusterAccount account) {
        return account.keys().stream()
                .map(key -> encrypt(keyId, account.name(), decrypt(account.name(), key)))
                .toList();
    }

    /**
     * Returns an account's key in clear.
     *
     * @throws UnreadableKeyException if the needed encryption key is not in this ring, or does not
     *     fit
     */
    public AccountKey decrypt(AccountName account, StoredKey key) {
        if (!(key instanceof EncryptedKey encrypted)) {
            return (AccountKey) key;
        }
        String keyId = encrypted.keyId();
        if (!keys.containsKey(keyId)) {
            throw new UnreadableKeyException(ReasonCode.KEY_NOT_HELD.of(account, keyId));
        }
        try {
            return AccountKey.of(
                    cipher(Cipher.DECRYPT_MODE, keyId, encrypted.nonce(), account)
                            .doFinal(encrypted.ciphertext()));
        } catch (AEADBadTagException refused) {
            throw new UnreadableKeyException(ReasonCode.KEY_DAMAGED.of(account, keyId));
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** Returns an account's key in clear; empty if it cannot be decrypted here. */
    public Optional<AccountKey> readable(AccountName account, StoredKey key) {
        try {
            return Optional.of(decrypt(account, key));
        } catch (UnreadableKeyException unreadable) {
            return Optional.empty();
        }
    }

    /**
     * Returns an account with its keys in clear.
     *
     * @throws UnreadableKeyException as {@link #decrypt} does
     */
    public ClusterAccount decrypted(ClusterAccount account) {
        return account.withKeys(
                account.keys().stream().map(key -> decrypt(account.name(), key)).toList());
    }

    /** Returns why some key of these accounts cannot be decrypted here; empty if all can. */
    public Optional<Reason> unreadable(Collection<ClusterAccount> accounts) {
        for (ClusterAccount account : accounts) {
            try {
                decrypted(account);
            } catch (UnreadableKeyException unreadable) {
                return Optional.of(unreadable.reason());
            }
        }
        return Optional.empty();
    }

    private Cipher cipher(int mode, String keyId, byte[] nonce, AccountName account)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                mode,
                keys.get(keyId),
                new GCMParameterSpec(EncryptedKey.TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(ACCOUNT_DOMAIN);
        cipher.updateAAD(account.value().getBytes(UTF_8));
        return cipher;
    }

    @Override
    public String toString() {
        return "KeyRing" + ids();
    }
}
