package io.parterre.deploy.backup;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.PieceReference;
import java.io.IOException;
import java.util.function.Predicate;

/** Rows of pieces that are restored: as a backup holds them, or as they were at a later time. */
interface PieceSource {
    /**
     * Shows rows of a piece in key order.
     *
     * @param wanted tells intervals of keys of which rows are needed; others may be left out
     * @param isWanted tells single keys
     */
    void forEachRow(
            PieceReference piece,
            Predicate<KeyRange> wanted,
            Predicate<Key> isWanted,
            RangeStream.RowTaker taker)
            throws IOException;

    /** As the backup holds them. */
    static PieceSource asBackedUp(Repository repository) {
        return (piece, wanted, isWanted, taker) -> {
            for (Chunk chunk : repository.piece(piece.getId()).getChunksList()) {
                if (wanted.test(Intervals.ofChunk(chunk))) {
                    for (PieceRows.Row row : PieceRows.rows(repository, chunk)) {
                        if (isWanted.test(row.key())) {
                            taker.take(row.key(), row.value());
                        }
                    }
                }
            }
        };
    }
}
