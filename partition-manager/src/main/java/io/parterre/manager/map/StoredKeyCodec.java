package io.parterre.manager.map;

import com.google.protobuf.ByteString;
import io.parterre.proto.manager.StoredKey.FormCase;
import java.util.List;

/**
 * Converts keys of accounts to messages and back. If all keys are in clear, they are written in the
 * form of releases that know no encrypted keys. Stateless and thread-safe.
 */
final class StoredKeyCodec {
    private StoredKeyCodec() {}

    /** Returns whether a key is encrypted, so that the older form cannot be used. */
    static boolean anyEncrypted(List<StoredKey> keys) {
        return keys.stream().anyMatch(EncryptedKey.class::isInstance);
    }

    /** Returns the bytes of keys that are all in clear. */
    static List<ByteString> clear(List<StoredKey> keys) {
        return keys.stream().map(AccountKey.class::cast).map(StoredKeyCodec::bytes).toList();
    }

    static List<io.parterre.proto.manager.StoredKey> toProto(List<StoredKey> keys) {
        return keys.stream().map(StoredKeyCodec::toProto).toList();
    }

    private static io.parterre.proto.manager.StoredKey toProto(StoredKey key) {
        var message = io.parterre.proto.manager.StoredKey.newBuilder();
        if (key instanceof EncryptedKey encrypted) {
            message.setEncrypted(toProto(encrypted));
        } else {
            message.setClear(bytes((AccountKey) key));
        }
        return message.build();
    }

    static io.parterre.proto.manager.EncryptedKey toProto(EncryptedKey key) {
        return io.parterre.proto.manager.EncryptedKey.newBuilder()
                .setKeyId(key.keyId())
                .setNonce(ByteString.copyFrom(key.nonce()))
                .setCiphertext(ByteString.copyFrom(key.ciphertext()))
                .build();
    }

    static ByteString bytes(AccountKey key) {
        return ByteString.copyFrom(key.toBytes());
    }

    /**
     * Reads keys of either form.
     *
     * @throws IllegalArgumentException if both forms are there, or a field breaks its type's rules
     */
    static List<StoredKey> fromProto(
            List<ByteString> clear, List<io.parterre.proto.manager.StoredKey> stored) {
        if (!clear.isEmpty() && !stored.isEmpty()) {
            throw new IllegalArgumentException(
                    "account keys: in both forms (expected: in one of them)");
        }
        return stored.isEmpty()
                ? List.copyOf(clear.stream().map(StoredKeyCodec::fromProto).toList())
                : stored.stream().map(StoredKeyCodec::fromProto).toList();
    }

    static AccountKey fromProto(ByteString clear) {
        return AccountKey.of(clear.toByteArray());
    }

    private static StoredKey fromProto(io.parterre.proto.manager.StoredKey message) {
        return message.getFormCase() == FormCase.ENCRYPTED
                ? fromProto(message.getEncrypted())
                : fromProto(message.getClear());
    }

    static EncryptedKey fromProto(io.parterre.proto.manager.EncryptedKey message) {
        return new EncryptedKey(
                message.getKeyId(),
                message.getNonce().toByteArray(),
                message.getCiphertext().toByteArray());
    }
}
