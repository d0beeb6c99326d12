package io.parterre.deploy.transfer;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The origin of entities. Thread-safe. */
interface Source {
    /** Returns the whole source, in parts that may be read in parallel. */
    List<Part> parts() throws IOException;

    /**
     * Returns whether parts are intervals of partition keys, of which another thread may take over
     * a half.
     */
    boolean isSplittableByKey();

    /** Returns a reader of a part from its position on, confined to one thread. */
    Reader open(Part part) throws IOException;

    /**
     * Returns where the rest of a part may be split, so that another thread takes over the second
     * half; empty if nowhere.
     *
     * @param seen partition key up to which the part is read, or is being read
     */
    Optional<String> middle(Part part, String seen);

    /** Reads one part, chunk by chunk. */
    interface Reader extends AutoCloseable {
        /**
         * Returns the next chunk.
         *
         * @throws TransferException if what is read is no entity
         */
        Chunk next() throws IOException;

        @Override
        void close() throws IOException;
    }
}
