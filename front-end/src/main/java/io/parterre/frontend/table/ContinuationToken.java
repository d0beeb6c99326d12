package io.parterre.frontend.table;

import io.parterre.entity.TextCodec;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.store.EntityPosition;
import java.util.Base64;
import java.util.Optional;

/**
 * Texts of continuation tokens: {@code 1!n!b}, where {@code b} is the base64 form of a key's UTF-8
 * bytes and {@code n} its length. {@code =}, {@code /} and {@code +} are written {@code -}, {@code
 * _} and {@code *}, so that clients which forget to encode still work. Source: section 6.
 * Stateless; safe for any thread.
 *
 * <p>A token names a place in the order of keys, nothing else: it stays valid across restarts and
 * whatever happens to the ranges.
 */
public final class ContinuationToken {
    /** The real service appends a creation time to table names behind this byte. */
    private static final char TABLE_TIME = '\u0001';

    private ContinuationToken() {}

    public static String encode(String key) {
        String base64 =
                Base64.getEncoder()
                        .encodeToString(TextCodec.encode(key))
                        .replace('=', '-')
                        .replace('/', '_')
                        .replace('+', '*');
        return "1!" + base64.length() + "!" + base64;
    }

    /**
     * The key of a token; one that a client has encoded twice is understood.
     *
     * @throws StorageException {@code INVALID_INPUT} if it is none of ours
     */
    public static String decode(String token) {
        String text = token.startsWith("1%21") ? token.replace("%21", "!") : token;
        int bang = text.indexOf('!', 2);
        if (!text.startsWith("1!") || bang < 0) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        String base64 = text.substring(bang + 1);
        if (!text.substring(2, bang).equals(Integer.toString(base64.length()))
                || base64.length() % 4 != 0) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        try {
            byte[] bytes =
                    Base64.getDecoder()
                            .decode(base64.replace('-', '=').replace('_', '/').replace('*', '+'));
            return TextCodec.decode(bytes, 0, bytes.length);
        } catch (IllegalArgumentException malformed) {
            throw new StorageException(ErrorCode.INVALID_INPUT, malformed);
        }
    }

    /**
     * Where a page of entities starts. A token without a row starts at its partition.
     *
     * @throws StorageException {@code INVALID_INPUT}
     */
    public static EntityPosition entityPosition(QueryOptions options) {
        Optional<String> partition = options.nonEmpty("NextPartitionKey");
        Optional<String> row = options.nonEmpty("NextRowKey");
        if (partition.isEmpty() && row.isPresent()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return new EntityPosition(
                partition.map(ContinuationToken::decode).orElse(""),
                row.map(ContinuationToken::decode).orElse(""));
    }

    /**
     * Where a page of tables starts, in lower case; empty string: at the first.
     *
     * @throws StorageException {@code INVALID_INPUT}
     */
    public static String tablePosition(QueryOptions options) {
        String name = options.nonEmpty("NextTableName").map(ContinuationToken::decode).orElse("");
        int time = name.indexOf(TABLE_TIME);
        return time < 0 ? name : name.substring(0, time);
    }
}
