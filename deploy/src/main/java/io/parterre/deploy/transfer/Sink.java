package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;

/** Where entities go. Safe for any thread. */
interface Sink {
    /** Takes what comes of a part, behind what its file holds so far; for one thread. */
    Writer open(Part part) throws IOException;

    /** Takes one part, chunk by chunk. */
    interface Writer extends AutoCloseable {
        /** Returns once they are written, or throws: then some of them may be. */
        void write(List<ObjectNode> entities) throws IOException;

        /** Length of the part's file; 0 where there is none. */
        long writtenBytes();

        @Override
        void close() throws IOException;
    }
}
