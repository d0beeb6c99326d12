package io.parterre.key;

import java.nio.ByteBuffer;

/**
 * Encodes and decodes keys: {@code space(1) . account(8) . object(8) . partition . row}, numbers
 * big-endian, strings by {@link KeyText}. Any change of this format breaks existing data on disk.
 * Stateless; safe for any thread.
 */
public final class KeyCodec {
    private KeyCodec() {}

    /** Prefix of every key of a scope. */
    public static Key scope(Scope scope) {
        byte[] out = new byte[Scope.LENGTH_BYTES];
        putScope(scope, out);
        return Key.wrap(out);
    }

    /** Prefix of every key of an account in a key space. */
    public static Key account(KeySpace space, AccountId accountId) {
        return scope(new Scope(space, accountId, ObjectId.TABLES)).prefix(1 + Long.BYTES);
    }

    /**
     * Prefix of every key of a partition; within a table, a range can only be split at such a key.
     */
    public static Key partition(Scope scope, String partitionKey) {
        byte[] out = new byte[Scope.LENGTH_BYTES + KeyText.encodedLength(partitionKey)];
        putScope(scope, out);
        KeyText.encode(partitionKey, out, Scope.LENGTH_BYTES);
        return Key.wrap(out);
    }

    public static Key entity(Scope scope, String partitionKey, String rowKey) {
        int partitionLength = KeyText.encodedLength(partitionKey);
        byte[] out = new byte[Scope.LENGTH_BYTES + partitionLength + KeyText.encodedLength(rowKey)];
        putScope(scope, out);
        int at = KeyText.encode(partitionKey, out, Scope.LENGTH_BYTES);
        KeyText.encode(rowKey, out, at);
        return Key.wrap(out);
    }

    /**
     * Key of a directory row: the partition key is the table's name in lower case, the row key is
     * empty.
     */
    public static Key tableDirectoryRow(AccountId accountId, String tableNameLowerCase) {
        return entity(Scope.ofTableDirectory(accountId), tableNameLowerCase, "");
    }

    /**
     * Key of the directory row with the settings of a service: the partition key is the service's
     * name, the row key is empty.
     *
     * @param service in lower case, as in host names: {@code table}
     */
    public static Key servicePropertiesRow(AccountId accountId, String service) {
        return entity(Scope.ofServiceProperties(accountId), service, "");
    }

    /**
     * Decodes a whole key.
     *
     * @throws IllegalArgumentException if {@link #entity} cannot have made the key
     */
    public static EntityKey decode(Key key) {
        byte[] bytes = key.unsafeBytes();
        Scope scope = scopeOf(key);
        int row = KeyText.skip(bytes, Scope.LENGTH_BYTES);
        return new EntityKey(
                scope,
                KeyText.decode(bytes, Scope.LENGTH_BYTES, row),
                KeyText.decode(bytes, row, bytes.length));
    }

    /**
     * The scope a key belongs to.
     *
     * @throws IllegalArgumentException if the key is too short or has no known space
     */
    public static Scope scopeOf(Key key) {
        byte[] bytes = key.unsafeBytes();
        if (bytes.length < Scope.LENGTH_BYTES) {
            throw new IllegalArgumentException(
                    "key: " + bytes.length + " bytes (expected: >= " + Scope.LENGTH_BYTES + ")");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Scope(
                KeySpace.ofTag(buffer.get()),
                new AccountId(buffer.getLong()),
                new ObjectId(buffer.getLong()));
    }

    /**
     * The partition prefix of a whole key; no bound of a range lies inside a partition.
     *
     * @throws IllegalArgumentException if the key has no whole partition
     */
    public static Key partitionPrefix(Key key) {
        return key.prefix(KeyText.skip(key.unsafeBytes(), Scope.LENGTH_BYTES));
    }

    /**
     * Returns whether a range may begin at the key: it is in a known key space and not inside a
     * partition. Such a key is the prefix of a scope, or a scope with or without a whole partition
     * after it.
     */
    public static boolean isSplitPoint(Key key) {
        byte[] bytes = key.unsafeBytes();
        if (bytes.length == 0 || !KeySpace.isTag(bytes[0])) {
            return false;
        }
        if (bytes.length <= Scope.LENGTH_BYTES) {
            return true;
        }
        try {
            return KeyText.skip(bytes, Scope.LENGTH_BYTES) == bytes.length;
        } catch (IllegalArgumentException noWholePartition) {
            return false;
        }
    }

    private static void putScope(Scope scope, byte[] out) {
        ByteBuffer.wrap(out)
                .put(scope.space().tag())
                .putLong(scope.accountId().value())
                .putLong(scope.objectId().value());
    }
}
