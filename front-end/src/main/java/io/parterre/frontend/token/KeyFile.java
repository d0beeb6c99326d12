package io.parterre.frontend.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A key set in a file. */
record KeyFile(Path path) implements KeyDocument {
    @Override
    public String read() throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new IOException(path + ": too large (expected: <= " + BYTES_MAX + " bytes)");
            }
            return new String(bytes, UTF_8);
        }
    }
}
