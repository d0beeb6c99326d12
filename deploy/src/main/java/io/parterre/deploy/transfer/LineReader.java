package io.parterre.deploy.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the lines that begin in a piece of a file of JSON lines. Confined to one thread. */
final class LineReader implements Source.Reader {
    /** An entity may have 1 MiB, and its JSON several times as much. */
    private static final int LINE_BYTES_MAX = 16 << 20;

    private static final long CHUNK_BYTES_MAX = 4L << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final FileChannel channel;
    private final InputStream in;
    private final long end;
    private long at;

    /**
     * Creates a reader.
     *
     * @param position beginning of a line to continue at; empty: the first line that begins in the
     *     piece
     * @param end lines that begin here or later belong to another reader
     */
    LineReader(Path file, Optional<Long> position, long start, long end) throws IOException {
        this.file = file;
        this.end = end;
        this.channel = FileChannel.open(file);
        // The byte before the start shows whether a line begins at the start.
        at = position.orElse(Math.max(0, start - 1));
        channel.position(at);
        in = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
        if (position.isEmpty() && start > 0) {
            skipLine();
        }
    }

    private void skipLine() throws IOException {
        int next;
        do {
            next = in.read();
            at += next < 0 ? 0 : 1;
        } while (next >= 0 && next != '\n');
    }

    @Override
    public Chunk next() throws IOException {
        List<ObjectNode> entities = new ArrayList<>();
        long until = at + CHUNK_BYTES_MAX;
        while (at < end && at < until && entities.size() < Chunk.ENTITIES_MAX) {
            long began = at;
            byte[] line = line();
            if (!isBlank(line)) {
                entities.add(entity(line, began));
            }
        }
        return new Chunk(entities, at < end ? Optional.of(Long.toString(at)) : Optional.empty());
    }

    private byte[] line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        for (int next = in.read(); next >= 0; next = in.read()) {
            at++;
            if (next == '\n') {
                return line.toByteArray();
            }
            if (line.size() == LINE_BYTES_MAX) {
                throw TransferException.lasting(
                        file + ": line of more than " + LINE_BYTES_MAX + " bytes");
            }
            line.write(next);
        }
        // The last line may lack its end.
        at = Math.max(at, end);
        return line.toByteArray();
    }

    private static boolean isBlank(byte[] line) {
        for (byte each : line) {
            if (each != ' ' && each != '\r' && each != '\t') {
                return false;
            }
        }
        return true;
    }

    private ObjectNode entity(byte[] line, long began) throws TransferException {
        try {
            JsonNode node = JSON.readTree(line);
            if (node instanceof ObjectNode entity && EntityLines.hasKeys(entity)) {
                return entity;
            }
        } catch (JsonProcessingException malformed) {
            throw TransferException.lasting(
                    file + ": line at byte " + began + ": " + malformed.getOriginalMessage());
        } catch (IOException impossible) {
            throw TransferException.lasting(file + ": line at byte " + began + ": " + impossible);
        }
        throw TransferException.lasting(
                file + ": line at byte " + began + ": no object with PartitionKey and RowKey");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
