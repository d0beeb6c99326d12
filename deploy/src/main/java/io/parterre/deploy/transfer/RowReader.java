package io.parterre.deploy.transfer;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a file that can only be read from its beginning. Confined to one thread. */
final class RowReader implements Source.Reader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final CsvMapper CSV =
            CsvMapper.builder().enable(CsvParser.Feature.WRAP_AS_ARRAY).build();

    private final Path file;
    private final Rows rows;
    private final Closeable closed;
    private long count;

    private RowReader(Path file, Rows rows, Closeable closed, long skipped) throws IOException {
        this.file = file;
        this.rows = rows;
        this.closed = closed;
        while (count < skipped && next(false).isPresent()) {
            count++;
        }
    }

    /** Returns entities one after the other; empty after the last. */
    private interface Rows {
        Optional<ObjectNode> next() throws IOException;
    }

    /** Returns a reader of a CSV file with a header. */
    static RowReader ofCsv(Path file, long skipped) throws IOException {
        MappingIterator<String[]> rows = CSV.readerFor(String[].class).readValues(file.toFile());
        List<String> header = rows.hasNextValue() ? List.of(rows.nextValue()) : List.of();
        return new RowReader(
                file,
                () ->
                        rows.hasNextValue()
                                ? Optional.of(CsvText.entity(header, List.of(rows.nextValue())))
                                : Optional.empty(),
                rows,
                skipped);
    }

    /** Returns a reader of an array of entities, alone or as {@code value} of an object. */
    static RowReader ofJson(Path file, long skipped) throws IOException {
        JsonParser parser = JSON.createParser(file.toFile());
        if (parser.nextToken() == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.FIELD_NAME
                    && !"value".equals(parser.currentName())) {
                parser.nextToken();
                parser.skipChildren();
            }
            parser.nextToken();
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            parser.close();
            throw TransferException.lasting(
                    file + ": holds no array of entities (expected: [...] or {\"value\": [...]})");
        }
        return new RowReader(
                file,
                () -> {
                    JsonToken next = parser.nextToken();
                    if (next == JsonToken.END_ARRAY) {
                        return Optional.empty();
                    }
                    if (next != JsonToken.START_OBJECT) {
                        throw TransferException.lasting(file + ": cut short, or no entity");
                    }
                    return Optional.of(JSON.<ObjectNode>readTree(parser));
                },
                parser,
                skipped);
    }

    private Optional<ObjectNode> next(boolean checked) throws IOException {
        Optional<ObjectNode> entity;
        try {
            entity = rows.next();
        } catch (JsonProcessingException malformed) {
            throw TransferException.lasting(where() + malformed.getOriginalMessage());
        } catch (IllegalArgumentException malformed) {
            throw TransferException.lasting(where() + malformed.getMessage());
        }
        if (checked && entity.isPresent() && !EntityLines.hasKeys(entity.get())) {
            throw TransferException.lasting(where() + "no PartitionKey and RowKey");
        }
        return entity;
    }

    private String where() {
        return file + ": entity " + (count + 1) + ": ";
    }

    @Override
    public Chunk next() throws IOException {
        List<ObjectNode> entities = new ArrayList<>();
        while (entities.size() < Chunk.ENTITIES_MAX) {
            Optional<ObjectNode> entity = next(true);
            if (entity.isEmpty()) {
                return new Chunk(entities, Optional.empty());
            }
            entities.add(entity.get());
            count++;
        }
        return new Chunk(entities, Optional.of(Long.toString(count)));
    }

    @Override
    public void close() throws IOException {
        closed.close();
    }
}
