package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SequenceWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The folder of an export. Its summary, {@code export.json}, is written last: a folder without it
 * is incomplete, and a folder whose files differ from the summary is damaged.
 */
final class ExportFolder {
    private static final String SUMMARY = "export.json";
    private static final int VERSION = 1;
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final CsvMapper CSV =
            CsvMapper.builder().enable(CsvParser.Feature.WRAP_AS_ARRAY).build();

    private final Path folder;

    ExportFolder(Path folder) {
        this.folder = folder;
    }

    boolean isWhole() {
        return Files.exists(folder.resolve(SUMMARY));
    }

    Path checkpoint() {
        return folder.resolve("export.checkpoint");
    }

    /**
     * Converts the parts' files to one CSV file, whose columns are known only when all parts are
     * read.
     */
    Path toCsv(String table, List<Path> parts) throws IOException {
        Set<String> properties = new TreeSet<>();
        forEach(parts, entity -> properties.addAll(CsvText.properties(entity)));
        Path file = folder.resolve(table + ".csv");
        Path begun = folder.resolve(table + ".csv.next");
        try (SequenceWriter out = CSV.writer().writeValues(begun.toFile())) {
            out.write(CsvText.header(properties));
            forEach(parts, entity -> out.write(CsvText.row(entity, properties)));
        }
        Files.move(
                begun, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return file;
    }

    private interface Taker {
        void take(ObjectNode entity) throws IOException;
    }

    private static void forEach(List<Path> files, Taker taker) throws IOException {
        for (Path file : files) {
            try (LineReader reader = new LineReader(file, Optional.empty(), 0, Files.size(file))) {
                Chunk chunk;
                do {
                    chunk = reader.next();
                    for (ObjectNode each : chunk.entities()) {
                        taker.take(each);
                    }
                } while (chunk.next().isPresent());
            }
        }
    }

    /** Marks the folder as complete. */
    void finish(String table, long entities, List<Path> files) throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("version", VERSION).put("table", table).put("entities", entities);
        ArrayNode list = root.putArray("files");
        for (Path each : files) {
            list.addObject()
                    .put("name", each.getFileName().toString())
                    .put("bytes", Files.size(each))
                    .put("sha256", sha256(each));
        }
        Path begun = folder.resolve(SUMMARY + ".next");
        Files.write(begun, JSON.writeValueAsBytes(root));
        Files.move(begun, folder.resolve(SUMMARY), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Returns the files of a complete export.
     *
     * @throws TransferException if it is incomplete or damaged
     */
    List<Path> files() throws IOException {
        if (!isWhole()) {
            throw TransferException.lasting(
                    folder + ": has no " + SUMMARY + ": the export is not whole");
        }
        JsonNode root = JSON.readTree(folder.resolve(SUMMARY).toFile());
        if (root.path("version").asInt() != VERSION) {
            throw TransferException.lasting(folder + ": export of an unknown version");
        }
        List<Path> files = new ArrayList<>();
        for (JsonNode each : root.path("files")) {
            Path file = folder.resolve(each.path("name").asText());
            if (!file.normalize().getParent().equals(folder.normalize())
                    || !Files.exists(file)
                    || !sha256(file).equals(each.path("sha256").asText())) {
                throw TransferException.lasting(
                        file + ": is missing, or not what " + SUMMARY + " says");
            }
            files.add(file);
        }
        return files;
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            DigestInputStream digest =
                    new DigestInputStream(in, MessageDigest.getInstance("SHA-256"));
            byte[] buffer = new byte[1 << 16];
            int read;
            do {
                read = digest.read(buffer);
            } while (read >= 0);
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
