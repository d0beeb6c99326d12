package io.parterre.deploy.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Stored form of objects in a repository: compressed, with a checksum, and encrypted if there is a
 * key. Numbers are big-endian:
 *
 * <pre>
 * object   = "PBK"(3) version(1) kind(1) length(4) body
 * body     = SHA-256(header name deflated)(32) deflated    kind 0: plain
 *          | salt(32) AES-256-GCM(deflated)                kind 1: encrypted
 * deflated = content of that length
 * </pre>
 *
 * <p>Each encrypted object has its own key, derived from the repository's key and the salt, so no
 * nonce is used twice with a key. The checksum covers the stored form, because two deflated forms
 * may have the same content. It also covers the name, so that objects cannot replace each other.
 * Thread-safe.
 */
final class Seal {
    /** No object of ours is larger; a larger one is refused. */
    static final int CONTENT_BYTES_MAX = 512 << 20;

    static final int KEY_BYTES = 32;

    private static final byte[] MAGIC = {'P', 'B', 'K'};
    private static final byte VERSION = 1;
    private static final byte PLAIN = 0;
    private static final byte ENCRYPTED = 1;
    private static final int HEADER_BYTES = 9;
    private static final int SALT_BYTES = 32;
    private static final int SUM_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final String HMAC = "HmacSHA256";

    private final Optional<byte[]> key;
    private final SecureRandom random = new SecureRandom();

    /**
     * Creates a seal.
     *
     * @param key 32 bytes; empty: nothing is encrypted
     */
    Seal(Optional<byte[]> key) {
        this.key = key.map(byte[]::clone);
        this.key.ifPresent(
                bytes -> {
                    if (bytes.length != KEY_BYTES) {
                        throw new IllegalArgumentException(
                                "key: " + bytes.length + " bytes (expected: " + KEY_BYTES + ")");
                    }
                });
    }

    boolean encrypts() {
        return key.isPresent();
    }

    /** Returns an id of the content, which reveals nothing about it without the key. */
    byte[] id(byte[] content) {
        return key.isPresent()
                ? hmac(hmac(key.get(), "name".getBytes(UTF_8)), content)
                : sum(content);
    }

    byte[] close(String name, byte[] content) {
        byte[] deflated = deflate(content);
        ByteBuffer header =
                ByteBuffer.allocate(HEADER_BYTES)
                        .put(MAGIC)
                        .put(VERSION)
                        .put(encrypts() ? ENCRYPTED : PLAIN)
                        .putInt(content.length);
        if (!encrypts()) {
            return joined(header.array(), sum(header.array(), name, deflated), deflated);
        }
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        try {
            byte[] body = cipher(Cipher.ENCRYPT_MODE, salt, name, header.array()).doFinal(deflated);
            return joined(header.array(), salt, body);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /**
     * Returns the content of an object.
     *
     * @throws BackupException if it is damaged, sealed with another repository's key, or no object
     *     of ours
     */
    byte[] open(String name, byte[] object) throws BackupException {
        if (object.length < HEADER_BYTES || !Arrays.equals(MAGIC, Arrays.copyOf(object, 3))) {
            throw BackupException.damaged(name + ": is no object of a backup");
        }
        if (object[3] != VERSION || object[4] > ENCRYPTED) {
            throw BackupException.damaged(
                    name + ": of version " + object[3] + " (expected: " + VERSION + ")");
        }
        boolean encrypted = object[4] == ENCRYPTED;
        int length = ByteBuffer.wrap(object, 5, Integer.BYTES).getInt();
        if (encrypted != encrypts() || length < 0 || length > CONTENT_BYTES_MAX) {
            throw BackupException.damaged(name + ": is not what was written");
        }
        byte[] header = Arrays.copyOf(object, HEADER_BYTES);
        byte[] body = Arrays.copyOfRange(object, HEADER_BYTES, object.length);
        byte[] deflated = encrypted ? decrypt(name, header, body) : checked(name, header, body);
        try {
            return inflate(deflated, length);
        } catch (DataFormatException malformed) {
            throw BackupException.damaged(name + ": is damaged", malformed);
        }
    }

    private static byte[] checked(String name, byte[] header, byte[] body) throws BackupException {
        if (body.length < SUM_BYTES) {
            throw BackupException.damaged(name + ": is cut short");
        }
        byte[] deflated = Arrays.copyOfRange(body, SUM_BYTES, body.length);
        if (!Arrays.equals(sum(header, name, deflated), Arrays.copyOf(body, SUM_BYTES))) {
            throw BackupException.damaged(name + ": is damaged, its checksum differs");
        }
        return deflated;
    }

    private static byte[] sum(byte[] header, String name, byte[] deflated) {
        return sum(joined(header, name.getBytes(UTF_8), deflated));
    }

    private byte[] decrypt(String name, byte[] header, byte[] body) throws BackupException {
        if (body.length < SALT_BYTES) {
            throw BackupException.damaged(name + ": is cut short");
        }
        byte[] salt = Arrays.copyOf(body, SALT_BYTES);
        try {
            return cipher(Cipher.DECRYPT_MODE, salt, name, header)
                    .doFinal(body, SALT_BYTES, body.length - SALT_BYTES);
        } catch (GeneralSecurityException refused) {
            throw BackupException.damaged(
                    name + ": is damaged, or was encrypted with another key", refused);
        }
    }

    private Cipher cipher(int mode, byte[] salt, String name, byte[] header)
            throws GeneralSecurityException {
        byte[] own = hmac(key.orElseThrow(), joined("object".getBytes(UTF_8), salt, new byte[0]));
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        // The key is used for this object alone, so a constant nonce is safe.
        cipher.init(
                mode,
                new SecretKeySpec(own, "AES"),
                new GCMParameterSpec(TAG_BITS, new byte[NONCE_BYTES]));
        cipher.updateAAD(header);
        cipher.updateAAD(name.getBytes(UTF_8));
        return cipher;
    }

    private static byte[] deflate(byte[] content) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream(content.length / 2 + 64);
            byte[] buffer = new byte[1 << 16];
            deflater.setInput(content);
            deflater.finish();
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }

    private static byte[] inflate(byte[] deflated, int length) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(deflated);
            byte[] content = new byte[length];
            int at = 0;
            while (at < length && !inflater.finished()) {
                int more = inflater.inflate(content, at, length - at);
                if (more == 0 && inflater.needsInput()) {
                    break;
                }
                at += more;
            }
            // Checks for data after the last byte as well.
            if (at != length || inflater.inflate(new byte[1]) != 0 || !inflater.finished()) {
                throw new DataFormatException("length: " + at + " (expected: " + length + ")");
            }
            return content;
        } finally {
            inflater.end();
        }
    }

    private static byte[] joined(byte[] first, byte[] second, byte[] third) {
        return ByteBuffer.allocate(first.length + second.length + third.length)
                .put(first)
                .put(second)
                .put(third)
                .array();
    }

    static byte[] sum(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    private static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text);
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
