package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The manifest that AzCopy 7 wrote beside the data files of a table. It names account, table, time
 * and the number of files, all of which the files' names contain as well. Its checksum is of an
 * undocumented kind and is ignored.
 */
final class AzCopyManifest {
    static final String SUFFIX = ".manifest";
    private static final int VERSION = 2;
    private static final ObjectMapper JSON = new ObjectMapper();

    private AzCopyManifest() {}

    /**
     * Returns the data files of a manifest.
     *
     * @throws TransferException if files are missing, or their format loses types
     */
    static List<Path> files(Path manifest) throws IOException {
        JsonNode root = JSON.readTree(manifest.toFile());
        if (root.path("Version").asInt() != VERSION
                || !"Json".equalsIgnoreCase(root.path("PayloadFormat").asText())) {
            throw TransferException.lasting(
                    manifest
                            + ": not of version 2 with payload JSON, as AzCopy 7 wrote by default");
        }
        String begin =
                root.path("AccountName").asText() + "_" + root.path("TableName").asText() + "_";
        int expected = root.path("TotalDataFiles").asInt();
        Path folder = manifest.toAbsolutePath().getParent();
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> files =
                    all.filter(
                                    each -> {
                                        String name = each.getFileName().toString();
                                        return name.startsWith(begin) && name.endsWith(".json");
                                    })
                            .sorted()
                            .toList();
            if (files.size() != expected) {
                throw TransferException.lasting(
                        manifest
                                + ": "
                                + files.size()
                                + " data files in its folder (expected: "
                                + expected
                                + ")");
            }
            return files;
        }
    }
}
