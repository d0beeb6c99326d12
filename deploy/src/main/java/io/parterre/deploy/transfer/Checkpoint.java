package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file with the progress of a transfer, from which the same command continues. Always replaced
 * as a whole, so every read finds a complete file.
 */
final class Checkpoint {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final String what;

    /**
     * Creates a checkpoint in a file, which need not exist.
     *
     * @param what description of the transfer; another transfer does not continue this one
     */
    Checkpoint(Path file, String what) {
        this.file = file;
        this.what = what;
    }

    /**
     * Returns the parts as last recorded; empty if there is no file.
     *
     * @throws TransferException if the file belongs to another transfer, or is no checkpoint
     */
    Optional<List<Part>> read() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        JsonNode root = JSON.readTree(file.toFile());
        if (root.path("version").asInt() != VERSION) {
            throw TransferException.lasting(
                    file + ": is no checkpoint of version " + VERSION + " of a transfer");
        }
        if (!root.path("transfer").asText().equals(what)) {
            throw TransferException.lasting(
                    file
                            + ": is of another transfer, "
                            + root.path("transfer").asText()
                            + " (expected: "
                            + what
                            + "; remove the file to begin from the start)");
        }
        List<Part> parts = new ArrayList<>();
        for (JsonNode each : root.path("parts")) {
            parts.add(
                    new Part(
                            each.path("id").asInt(),
                            each.path("from").asText(),
                            each.path("to").asText(),
                            Optional.ofNullable(each.path("position").textValue()),
                            each.path("writtenBytes").asLong(),
                            each.path("entities").asLong(),
                            each.path("done").asBoolean()));
        }
        return Optional.of(parts);
    }

    void write(List<Part> parts) throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("version", VERSION).put("transfer", what);
        ArrayNode list = root.putArray("parts");
        for (Part each : parts) {
            ObjectNode node = list.addObject();
            node.put("id", each.id()).put("from", each.from()).put("to", each.to());
            each.position().ifPresent(at -> node.put("position", at));
            node.put("writtenBytes", each.writtenBytes())
                    .put("entities", each.entities())
                    .put("done", each.done());
        }
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel out =
                FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(JSON.writeValueAsBytes(root));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}
