package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.parterre.entity.TextCodec;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.store.EntityPosition;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * Continuation tokens of one list: the entities of a table or the tables of an account. A token is
 * {@code 1!n!b}, where {@code b} is the base64 form of a key's UTF-8 bytes and a checksum, and
 * {@code n} its length. {@code =}, {@code /} and {@code +} are written {@code -}, {@code _} and
 * {@code *}, so that tokens still work for clients that forget to encode them. Source:
 * docs/protocol.md 6. Immutable.
 *
 * <p>A token names only a position in key order, so it stays valid across restarts, at every front
 * end, and whatever happens to the ranges. The checksum covers account, table, header and, for a
 * RowKey, the PartitionKey: a token that was changed or belongs to another list is refused instead
 * of starting at an unintended position. The checksum is no secret. A client that forges a token
 * gains no more than by a filter, because each page is limited to what its credential permits.
 */
public final class ContinuationTokens {
    private static final String PARTITION_KEY = "NextPartitionKey";
    private static final String ROW_KEY = "NextRowKey";
    private static final String TABLE_NAME = "NextTableName";
    private static final String HEADER_PREFIX = "x-ms-continuation-";

    private static final int CHECKSUM_BYTES = 12;

    /** Most characters of a key and of the suffix for a page that starts between two keys. */
    private static final int KEY_CHARS_MAX = 1_024 + 8;

    private final String account;
    private final String tableLowerCase;

    private ContinuationTokens(String account, String tableLowerCase) {
        this.account = account;
        this.tableLowerCase = tableLowerCase;
    }

    public static ContinuationTokens ofTables(String account) {
        return new ContinuationTokens(account, "");
    }

    public static ContinuationTokens ofEntities(String account, String table) {
        return new ContinuationTokens(account, table.toLowerCase(Locale.ROOT));
    }

    /** Returns both headers, always: some clients fail if only one is present. */
    public HeaderList headers(EntityPosition next) {
        return HeaderList.of(
                HEADER_PREFIX + PARTITION_KEY,
                encode(PARTITION_KEY, "", next.partitionKey()),
                HEADER_PREFIX + ROW_KEY,
                encode(ROW_KEY, next.partitionKey(), next.rowKey()));
    }

    /** Returns the header of a page of tables, for the name in lower case that follows. */
    public HeaderList headers(String nextLowerCase) {
        return HeaderList.of(HEADER_PREFIX + TABLE_NAME, encode(TABLE_NAME, "", nextLowerCase));
    }

    /**
     * Returns where a page of entities starts. A token without a RowKey starts at its partition.
     *
     * @throws StorageException {@code INVALID_INPUT} if a token does not belong to this list
     */
    public EntityPosition entityPosition(QueryOptions options) {
        Optional<String> partition = options.nonEmpty(PARTITION_KEY);
        Optional<String> row = options.nonEmpty(ROW_KEY);
        if (partition.isEmpty() && row.isPresent()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        String partitionKey = partition.map(token -> decode(PARTITION_KEY, "", token)).orElse("");
        return new EntityPosition(
                partitionKey, row.map(token -> decode(ROW_KEY, partitionKey, token)).orElse(""));
    }

    /**
     * Returns where a page of tables starts, in lower case; empty string: at the first.
     *
     * @throws StorageException {@code INVALID_INPUT} if the token does not belong to this list
     */
    public String tablePosition(QueryOptions options) {
        return options.nonEmpty(TABLE_NAME).map(token -> decode(TABLE_NAME, "", token)).orElse("");
    }

    private String encode(String kind, String partitionKey, String key) {
        byte[] text = TextCodec.encode(key);
        byte[] all = Arrays.copyOf(text, text.length + CHECKSUM_BYTES);
        System.arraycopy(checksum(kind, partitionKey, text), 0, all, text.length, CHECKSUM_BYTES);
        String base64 = base64(all);
        return "1!" + base64.length() + "!" + base64;
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder()
                .encodeToString(bytes)
                .replace('=', '-')
                .replace('/', '_')
                .replace('+', '*');
    }

    /** Returns the key of a token; a token that a client has encoded twice is accepted. */
    private String decode(String kind, String partitionKey, String token) {
        String text = token.startsWith("1%21") ? token.replace("%21", "!") : token;
        int bang = text.indexOf('!', 2);
        if (!text.startsWith("1!") || bang < 0) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        String base64 = text.substring(bang + 1);
        byte[] all = bytes(base64);
        if (!text.substring(2, bang).equals(Integer.toString(base64.length()))
                || all.length < CHECKSUM_BYTES) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        int length = all.length - CHECKSUM_BYTES;
        byte[] expected = checksum(kind, partitionKey, Arrays.copyOf(all, length));
        if (!Arrays.equals(all, length, all.length, expected, 0, CHECKSUM_BYTES)) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        String key = TextCodec.decode(all, 0, length);
        if (key.length() > KEY_CHARS_MAX) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return key;
    }

    /**
     * Decodes only the form that we write, in either alphabet; a decoder alone would accept other
     * last letters too.
     */
    private static byte[] bytes(String base64) {
        String plain = base64.replace('-', '=').replace('_', '/').replace('*', '+');
        try {
            byte[] bytes = Base64.getDecoder().decode(plain);
            if (!Base64.getEncoder().encodeToString(bytes).equals(plain)) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
            return bytes;
        } catch (IllegalArgumentException malformed) {
            throw new StorageException(ErrorCode.INVALID_INPUT, malformed);
        }
    }

    /** Hashes every part with its length, so that no two lists of parts have the same bytes. */
    private byte[] checksum(String kind, String partitionKey, byte[] key) {
        MessageDigest digest = sha256();
        for (byte[] part :
                new byte[][] {
                    kind.getBytes(US_ASCII),
                    TextCodec.encode(account),
                    TextCodec.encode(tableLowerCase),
                    TextCodec.encode(partitionKey),
                    key
                }) {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, part.length));
            digest.update(part);
        }
        return Arrays.copyOf(digest.digest(), CHECKSUM_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
