package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.entity.ByteSink;
import io.parterre.key.Key;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.Piece;
import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * Writes rows of a piece to a repository, in chunks. Keys determine where a chunk ends: a changed
 * row changes only the chunk that contains it, and the other chunks are in the repository already.
 * Confined to one thread.
 */
final class ChunkWriter {
    private static final int BYTES_MIN = 1 << 20;
    private static final int BYTES_MAX = 8 << 20;

    /** On average one key of this many ends a chunk. */
    private static final int KEYS = 1 << 10;

    private final Repository repository;
    private final boolean checked;
    private final Piece.Builder piece = Piece.newBuilder();
    private final ByteSink rows = new ByteSink(BYTES_MIN);
    private int count;
    private Key first = Key.FIRST;
    private Key last = Key.FIRST;
    private long allRows;
    private long allBytes;

    /**
     * Creates a writer.
     *
     * @param checked whether existing objects are read, and written again if they are damaged
     */
    ChunkWriter(Repository repository, boolean checked) {
        this.repository = repository;
        this.checked = checked;
    }

    /**
     * Adds the next row.
     *
     * @throws BackupException if it does not follow the one before
     */
    void add(Key key, byte[] value) throws IOException {
        if (allRows > 0 && last.compareTo(key) >= 0) {
            throw BackupException.damaged("rows: not ascending at " + key);
        }
        if (count == 0) {
            first = key;
        }
        last = key;
        rows.writeBlob(key.unsafeBytes());
        rows.writeBlob(value);
        count++;
        allRows++;
        allBytes += key.length() + (long) value.length;
        if (rows.size() >= BYTES_MAX || rows.size() >= BYTES_MIN && endsChunk(key)) {
            flush();
        }
    }

    private static boolean endsChunk(Key key) {
        CRC32C crc = new CRC32C();
        crc.update(key.unsafeBytes());
        return crc.getValue() % KEYS == 0;
    }

    private void flush() throws IOException {
        byte[] bytes = rows.toBytes();
        piece.addChunks(
                Chunk.newBuilder()
                        .setId(repository.putChunk(bytes, checked))
                        .setRows(count)
                        .setBytes(bytes.length)
                        .setFirstKey(ByteString.copyFrom(first.unsafeBytes()))
                        .setLastKey(ByteString.copyFrom(last.unsafeBytes())));
        rows.clear();
        count = 0;
    }

    /**
     * Writes the rest and the piece that names all chunks, and returns its id. Nothing may be added
     * afterwards.
     */
    ByteString finish() throws IOException {
        if (count > 0) {
            flush();
        }
        return repository.putPiece(piece.build(), checked);
    }

    long rows() {
        return allRows;
    }

    /** Returns the bytes of keys and values. */
    long bytes() {
        return allBytes;
    }
}
