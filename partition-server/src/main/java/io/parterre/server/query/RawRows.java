package io.parterre.server.query;

import io.parterre.entity.ByteSink;

/** Selects every row, as it is stored, for key spaces without filters. */
final class RawRows implements RowTest {
    @Override
    public boolean matches(RowSource row) {
        return true;
    }

    @Override
    public void copyTo(RowSource row, ByteSink page) {
        page.writeBlob(row.key(), 0, row.keyLength());
        page.writeBlob(row.value(), 0, row.valueLength());
    }
}
