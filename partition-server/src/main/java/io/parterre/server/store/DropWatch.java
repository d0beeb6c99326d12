package io.parterre.server.store;

import io.parterre.key.KeyRange;
import java.util.function.Consumer;

/**
 * Whether files of an interval were dropped since it was opened. A snapshot keeps old versions of
 * rows, but not files that are dropped; only what was opened before has them still. Safe for any
 * thread.
 */
public final class DropWatch implements AutoCloseable {
    private final KeyRange range;
    private final Consumer<DropWatch> onClose;
    private volatile boolean dropped;

    DropWatch(KeyRange range, Consumer<DropWatch> onClose) {
        this.range = range;
        this.onClose = onClose;
    }

    /** Before it happens. */
    void dropping(KeyRange keys) {
        if (keys.overlaps(range)) {
            dropped = true;
        }
    }

    /** To be asked after the rows were read. */
    public boolean isDropped() {
        return dropped;
    }

    @Override
    public void close() {
        onClose.accept(this);
    }
}
