package io.parterre.server.query;

import io.parterre.key.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** Rows in memory, in key order, through arrays that are reused as the store does. */
final class ListRows implements RowSource {
    private final List<Map.Entry<Key, byte[]>> rows;
    private final byte[] key = new byte[1024];
    private final byte[] value = new byte[8192];
    private int at;

    ListRows(NavigableMap<Key, byte[]> rows) {
        this.rows = new ArrayList<>(rows.entrySet());
        load();
    }

    private void load() {
        if (valid()) {
            System.arraycopy(rows.get(at).getKey().unsafeBytes(), 0, key, 0, keyLength());
            System.arraycopy(rows.get(at).getValue(), 0, value, 0, valueLength());
        }
    }

    @Override
    public boolean valid() {
        return at < rows.size();
    }

    @Override
    public void next() {
        at++;
        load();
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public int keyLength() {
        return rows.get(at).getKey().length();
    }

    @Override
    public byte[] value() {
        return value;
    }

    @Override
    public int valueLength() {
        return rows.get(at).getValue().length;
    }
}
