package io.parterre.server.rows;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.DescriptorCodec;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.compare.Digest;
import io.parterre.server.store.LocalKey;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.StoreSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Digests of replicas' rows. Two members of a range at one applied position have the same digest. A
 * digest covers the descriptor (bounds, generation, members), the range's own rows, and its data.
 * It omits what belongs to one replica alone, and rows in fenced scopes: nobody reads these, and
 * they may come back when their space is reclaimed.
 */
public final class RowsDigest {
    /**
     * Changes whenever the same rows would get another digest; members with another format are not
     * compared.
     */
    public static final int FORMAT = 1;

    /**
     * Number of bytes after which rows are opened again, because open rows keep memory and files of
     * the store.
     */
    private static final long OPEN_BYTES_MAX = 32 << 20;

    private RowsDigest() {}

    /** Slows the reader down. */
    @FunctionalInterface
    public interface Pace {
        /**
         * Called after this many more bytes were read; may wait.
         *
         * @throws IOException if reading has to end
         */
        void read(int bytes) throws IOException;
    }

    /** Returns the digest of a range's rows in a snapshot; one row is held in memory at a time. */
    public static Digest of(StoreSnapshot snapshot, HostedRange range, Pace pace)
            throws IOException {
        Sum sum = new Sum(pace);
        sum.add(DescriptorCodec.toProto(range.descriptor()).toByteArray());
        List<KeyRange> fenced = new ArrayList<>();
        try (StoreCursor own = snapshot.scanLocal(range.descriptor().rangeId())) {
            for (; own.valid(); own.next()) {
                // The array is as long as the longest key so far.
                byte[] key = Arrays.copyOf(own.key(), own.keyLength());
                if (StoredReplica.isOfRange(key)) {
                    sum.add(own);
                }
                if (LocalKey.kind(key) == OwnKey.Kind.FENCE.tag()) {
                    fenced.add(KeyRange.ofPrefix(Key.wrap(LocalKey.suffix(key))));
                }
            }
        }
        for (KeyRange part : FreeKeys.of(range.descriptor().bounds(), fenced)) {
            addData(snapshot, part, sum);
        }
        return sum.digest();
    }

    private static void addData(StoreSnapshot snapshot, KeyRange part, Sum sum) throws IOException {
        KeyRange rest = part;
        while (!rest.start().equals(rest.endExclusive())) {
            Key next = rest.endExclusive();
            long open = 0;
            try (StoreCursor data = snapshot.scan(rest)) {
                for (; data.valid(); data.next()) {
                    if (open > OPEN_BYTES_MAX) {
                        next = Key.wrap(Arrays.copyOf(data.key(), data.keyLength()));
                        break;
                    }
                    open += data.keyLength() + data.valueLength();
                    sum.add(data);
                }
            }
            if (next.compareTo(rest.endExclusive()) >= 0) {
                return;
            }
            rest = new KeyRange(next, rest.endExclusive());
        }
    }

    /**
     * Two checksums of 32 bits each, because the machine computes both about as fast as it reads.
     */
    private static final class Sum {
        private final CRC32C first = new CRC32C();
        private final CRC32 second = new CRC32();
        private final ByteBuffer lengths = ByteBuffer.allocate(2 * Integer.BYTES);
        private final Pace pace;
        private long rows;
        private long bytes;

        Sum(Pace pace) {
            this.pace = pace;
        }

        void add(byte[] block) {
            first.update(block, 0, block.length);
            second.update(block, 0, block.length);
        }

        void add(StoreCursor row) throws IOException {
            // Otherwise a byte could move from a key to its value unnoticed.
            lengths.clear().putInt(row.keyLength()).putInt(row.valueLength());
            add(lengths.array());
            add(row.key(), row.keyLength());
            add(row.value(), row.valueLength());
            rows++;
            bytes += row.keyLength() + row.valueLength();
            pace.read(row.keyLength() + row.valueLength());
        }

        private void add(byte[] block, int length) {
            first.update(block, 0, length);
            second.update(block, 0, length);
        }

        Digest digest() {
            return new Digest(rows, bytes, first.getValue() << 32 | second.getValue());
        }
    }
}
