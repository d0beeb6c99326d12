package io.parterre.deploy.backup;

import io.parterre.entity.EntityPage;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.Piece;
import io.parterre.proto.backup.PieceReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads rows of pieces and checks them against the objects that name them. Stateless; thread-safe.
 */
final class PieceRows {
    private PieceRows() {}

    /** A row of a backup. */
    record Row(Key key, byte[] value) {}

    /** Returns the chunks of a piece that may have keys of an interval. */
    static List<Chunk> chunks(Piece piece, KeyRange keys) {
        List<Chunk> chunks = new ArrayList<>();
        for (Chunk each : piece.getChunksList()) {
            if (Intervals.ofChunk(each).overlaps(keys)) {
                chunks.add(each);
            }
        }
        return chunks;
    }

    /**
     * Returns all rows of a chunk.
     *
     * @throws BackupException if the chunk is missing, damaged or not as the piece describes it
     */
    static List<Row> rows(Repository repository, Chunk chunk) throws IOException {
        List<Row> rows = new ArrayList<>();
        byte[] page = repository.chunk(chunk);
        try {
            EntityPage.forEachRow(page, (key, value) -> rows.add(new Row(key, value)));
        } catch (IllegalArgumentException malformed) {
            throw BackupException.damaged("chunk: malformed", malformed);
        }
        boolean same =
                rows.size() == chunk.getRows()
                        && page.length == chunk.getBytes()
                        && rows.get(0).key().equals(Key.wrap(chunk.getFirstKey().toByteArray()))
                        && rows.get(rows.size() - 1)
                                .key()
                                .equals(Key.wrap(chunk.getLastKey().toByteArray()));
        if (!same) {
            throw BackupException.damaged("chunk: holds other rows than its piece says");
        }
        return rows;
    }

    /** Verifies a whole piece: every row is in its place. */
    static void verify(Repository repository, PieceReference reference) throws IOException {
        KeyRange keys = Intervals.of(reference.getKeys());
        Key last = Key.FIRST;
        boolean any = false;
        long count = 0;
        long bytes = 0;
        for (Chunk chunk : repository.piece(reference.getId()).getChunksList()) {
            for (Row row : rows(repository, chunk)) {
                if (!keys.contains(row.key()) || any && last.compareTo(row.key()) >= 0) {
                    throw BackupException.damaged(
                            "piece from " + keys.start() + ": key " + row.key() + " out of place");
                }
                last = row.key();
                any = true;
                count++;
                bytes += row.key().length() + (long) row.value().length;
            }
        }
        if (count != reference.getRows() || bytes != reference.getBytes()) {
            throw BackupException.damaged(
                    "piece from "
                            + keys.start()
                            + ": "
                            + count
                            + " rows (expected: "
                            + reference.getRows()
                            + ")");
        }
    }
}
