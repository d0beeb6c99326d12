package io.parterre.frontend.token;

import java.io.IOException;

/** Source of a key set. Reading blocks, for a bounded time. */
interface KeyDocument {
    /** Most bytes of a key set; real ones have a few thousand. */
    int BYTES_MAX = 1 << 20;

    /**
     * Returns the document as it is now.
     *
     * @throws IOException if the document cannot be read, or is too large
     */
    String read() throws IOException, InterruptedException;
}
