package io.parterre.deploy.transfer;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Where entities come from. Safe for any thread. */
interface Source {
    /** All of it, in parts that may be read side by side. */
    List<Part> parts() throws IOException;

    /** Whether parts are intervals of partition keys, which another thread may take a half of. */
    boolean isCutByKeys();

    /** Reads a part from its position on; for one thread. */
    Reader open(Part part) throws IOException;

    /**
     * Where the rest of a part may be cut, so that another thread takes what is behind.
     *
     * @param seen partition key up to which it is read, or is being read
     */
    Optional<String> middle(Part part, String seen);

    /** Reads one part, chunk by chunk. */
    interface Reader extends AutoCloseable {
        /**
         * The next chunk.
         *
         * @throws TransferException if what is read is no entity
         */
        Chunk next() throws IOException;

        @Override
        void close() throws IOException;
    }
}
