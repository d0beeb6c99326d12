package io.parterre.server.store;

import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksIterator;

/**
 * Local rows, in which replicas keep their own state, outside all tables. Safe for any thread; may
 * wait for the disk.
 */
public final class LocalRows {
    private final RocksResources rocks;
    private final StoreGuard guard;

    LocalRows(RocksResources rocks, StoreGuard guard) {
        this.rocks = rocks;
        this.guard = guard;
    }

    /** Returns the ranges that have local rows. */
    public List<RangeId> ranges() {
        return guard.guarded(
                "scan",
                () -> {
                    List<RangeId> ranges = new ArrayList<>();
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        rows.seek(LocalKey.first(0));
                        while (rows.isValid() && LocalKey.isOfRange(rows.key())) {
                            long rangeId = LocalKey.rangeId(rows.key());
                            ranges.add(new RangeId(rangeId));
                            rows.seek(LocalKey.first(rangeId + 1));
                        }
                        rows.status();
                    }
                    return ranges;
                });
    }

    /** Returns all local rows of a range. */
    public List<StoredRow> of(RangeId rangeId) {
        return guard.guarded(
                "scan",
                () -> {
                    List<StoredRow> found = new ArrayList<>();
                    byte[] first = LocalKey.first(rangeId.value());
                    try (RocksIterator rows = rocks.db.newIterator(rocks.read)) {
                        for (rows.seek(first); rows.isValid(); rows.next()) {
                            byte[] key = rows.key();
                            if (key[0] != LocalKey.TAG
                                    || LocalKey.rangeId(key) != rangeId.value()) {
                                break;
                            }
                            found.add(new StoredRow(key, rows.value()));
                        }
                        rows.status();
                    }
                    return found;
                });
    }
}
