package io.parterre.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar; the pom is its only source. */
final class BuildVersion implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"parterre " + read()};
    }

    /** Returns the version where the resource certainly exists, beside the classes of a command. */
    static String readHere() {
        try {
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read() throws IOException {
        try (InputStream in = BuildVersion.class.getResourceAsStream("version.properties")) {
            if (in == null) {
                throw new IOException("version.properties: missing (expected: beside this class)");
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        }
    }
}
