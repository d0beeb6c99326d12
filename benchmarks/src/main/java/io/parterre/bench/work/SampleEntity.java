package io.parterre.bench.work;

import io.parterre.bench.load.ByteText;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * The entity of every workload: 1,024 bytes of JSON with seven properties of five types. Row {@code
 * n} has {@code Number} = n, so that a filter can select exactly one. The text is random letters,
 * which hardly compress, so that compression does not reduce the bytes on disk. Stateless;
 * thread-safe.
 */
public final class SampleEntity {
    public static final int JSON_BYTES = 1024;

    private static final int TEXT_POOL_BYTES = 64 * 1024;
    private static final byte[] TEXT_POOL = randomLetters();
    private static final Pattern PARTITION_KEY = Pattern.compile("p\\d{8}");
    private static final String END = "\"}";

    private SampleEntity() {}

    private static byte[] randomLetters() {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        SplittableRandom random = new SplittableRandom(1024);
        byte[] letters = new byte[TEXT_POOL_BYTES + JSON_BYTES];
        for (int i = 0; i < letters.length; i++) {
            letters[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
        }
        return letters;
    }

    /** Returns the number of a partition key; empty if the key is of another form. */
    public static OptionalLong partitionOf(String partitionKey) {
        return PARTITION_KEY.matcher(partitionKey).matches()
                ? OptionalLong.of(Long.parseLong(partitionKey.substring(1)))
                : OptionalLong.empty();
    }

    static void putPartitionKey(long partition, ByteText out) {
        out.put('p').putDecimal(partition, 8);
    }

    static void putRowKey(long row, ByteText out) {
        out.put('r').putDecimal(row, 10);
    }

    /** Appends {@code (PartitionKey='..',RowKey='..')}. */
    public static void putKeys(long partition, long row, ByteText out) {
        out.put("(PartitionKey='");
        putPartitionKey(partition, out);
        out.put("',RowKey='");
        putRowKey(row, out);
        out.put("')");
    }

    /**
     * Appends the entity as JSON.
     *
     * @param revision entities of another revision have another text
     */
    public static void putJson(long partition, long row, long revision, ByteText out) {
        int start = out.length();
        out.put("{\"PartitionKey\":\"");
        putPartitionKey(partition, out);
        out.put("\",\"RowKey\":\"");
        putRowKey(row, out);
        out.put("\",\"Name\":\"entity ").putDecimal(row, 10);
        out.put("\",\"Number\":").putDecimal(row % Integer.MAX_VALUE);
        out.put(",\"Price\":").putDecimal(row % 1000).put(".25");
        out.put(",\"Active\":").put(row % 2 == 0 ? "true" : "false");
        out.put(",\"Created\":\"2026-01-01T00:00:00Z\",\"Created@odata.type\":\"Edm.DateTime\"");
        out.put(",\"Revision\":\"").putDecimal(revision);
        out.put("\",\"Revision@odata.type\":\"Edm.Int64\",\"Text\":\"");
        int textBytes = JSON_BYTES - (out.length() - start) - END.length();
        out.put(TEXT_POOL, poolOffset(row, revision), textBytes).put(END);
    }

    private static int poolOffset(long row, long revision) {
        long mixed = (row * 31 + revision) * 0x9E3779B97F4A7C15L;
        return (int) ((mixed >>> 32) % TEXT_POOL_BYTES);
    }
}
