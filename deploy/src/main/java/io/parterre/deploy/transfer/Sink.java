package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/** The destination of entities. Thread-safe. */
interface Sink {
    /**
     * Returns a writer of a part, which appends to the part's file. The writer is confined to one
     * thread.
     */
    Writer open(Part part) throws IOException;

    /** Writes one part, chunk by chunk. */
    interface Writer extends AutoCloseable {
        /** Returns when the entities are written. If it throws, some of them may be written. */
        void write(List<ObjectNode> entities) throws IOException;

        /** Returns the length of the part's file; 0 if there is none. */
        long writtenBytes();

        @Override
        void close() throws IOException;
    }
}
