package io.parterre.frontend.observe;

import java.io.IOException;
import java.io.OutputStream;

/** Accepts lines, their ends included. Confined to one thread. */
interface LineOutput {
    void write(byte[] line) throws IOException;

    /** Passes on all written lines. */
    void flush() throws IOException;

    void close() throws IOException;

    /** Returns an output to a stream that is not closed. */
    static LineOutput of(OutputStream stream) {
        return new LineOutput() {
            @Override
            public void write(byte[] line) throws IOException {
                stream.write(line);
            }

            @Override
            public void flush() throws IOException {
                stream.flush();
            }

            @Override
            public void close() throws IOException {
                stream.flush();
            }
        };
    }
}
