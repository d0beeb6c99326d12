package io.parterre.deploy.transfer;

import java.nio.file.Path;
import java.util.Locale;

/** Formats of entities in files. */
enum FileFormat {
    /** One entity per line, as JSON of the protocol with minimal metadata. */
    JSONL,
    /** See {@link CsvText}. */
    CSV,
    /** One array of entities, alone or as {@code value} of an object, as AzCopy 7 wrote. */
    JSON;

    /** Returns the format that a file's name indicates. */
    static FileFormat of(Path file) throws TransferException {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
            return JSONL;
        }
        if (name.endsWith(".csv")) {
            return CSV;
        }
        if (name.endsWith(".json")) {
            return JSON;
        }
        throw TransferException.lasting(
                file + ": of unknown kind (expected: a name that ends in .jsonl, .csv or .json)");
    }
}
