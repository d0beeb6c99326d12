package io.parterre.frontend.observe;

import java.io.IOException;
import java.io.OutputStream;

/** Takes lines, their ends included. For one thread. */
interface LineOutput {
    void write(byte[] line) throws IOException;

    /** What was written is out. */
    void flush() throws IOException;

    void close() throws IOException;

    /** A stream that is not ours to close. */
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
