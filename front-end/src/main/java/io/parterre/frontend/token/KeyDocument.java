package io.parterre.frontend.token;

import java.io.IOException;

/** Where a key set is read from. Blocks, for a bounded time. */
interface KeyDocument {
    /** Bytes of a key set at most; real ones have a few thousand. */
    int BYTES_MAX = 1 << 20;

    /**
     * The document as it is now.
     *
     * @throws IOException if it cannot be read, or is too large
     */
    String read() throws IOException, InterruptedException;
}
