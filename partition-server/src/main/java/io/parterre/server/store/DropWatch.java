package io.parterre.server.store;

import io.parterre.key.KeyRange;
import java.util.function.Consumer;

/**
 * Records whether files of an interval were dropped since this watch was opened. A snapshot keeps
 * old versions of rows, but not dropped files. Only iterators opened before still have their rows.
 * Safe for any thread.
 */
public final class DropWatch implements AutoCloseable {
    private final KeyRange range;
    private final Consumer<DropWatch> onClose;
    private volatile boolean dropped;

    DropWatch(KeyRange range, Consumer<DropWatch> onClose) {
        this.range = range;
        this.onClose = onClose;
    }

    /** Called before files of the interval are dropped. */
    void dropping(KeyRange keys) {
        if (keys.overlaps(range)) {
            dropped = true;
        }
    }

    /** Returns whether files were dropped. To be called after the rows were read. */
    public boolean isDropped() {
        return dropped;
    }

    @Override
    public void close() {
        onClose.accept(this);
    }
}
