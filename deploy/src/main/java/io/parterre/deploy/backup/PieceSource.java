package io.parterre.deploy.backup;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.PieceReference;
import java.io.IOException;
import java.util.function.Predicate;

/** Rows of pieces to be restored: as in a backup, or as of a later time. */
interface PieceSource {
    /**
     * Passes rows of a piece to {@code taker} in key order.
     *
     * @param wanted selects intervals of keys whose rows are needed; others may be left out
     * @param isWanted selects single keys
     */
    void forEachRow(
            PieceReference piece,
            Predicate<KeyRange> wanted,
            Predicate<Key> isWanted,
            RangeStream.RowTaker taker)
            throws IOException;

    /** Returns the rows as in the backup. */
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
