package io.parterre.deploy.transfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Files of entities. Files of JSON lines are read in pieces in parallel, others each as a whole.
 */
final class FileSource implements Source {
    private static final long PIECE_BYTES = 16L << 20;

    private final List<Path> files;

    FileSource(List<Path> files) {
        this.files = List.copyOf(files);
    }

    @Override
    public List<Part> parts() throws IOException {
        List<Part> parts = new ArrayList<>();
        for (Path file : files) {
            long bytes = Files.size(file);
            if (FileFormat.of(file) != FileFormat.JSONL) {
                parts.add(Part.fresh(parts.size(), file.toString(), ""));
                continue;
            }
            for (long at = 0; at < bytes; at += PIECE_BYTES) {
                String piece = at + "-" + Math.min(bytes, at + PIECE_BYTES);
                parts.add(Part.fresh(parts.size(), file.toString(), piece));
            }
        }
        return parts;
    }

    @Override
    public boolean isSplittableByKey() {
        return false;
    }

    @Override
    public Optional<String> middle(Part part, String seen) {
        return Optional.empty();
    }

    @Override
    public Reader open(Part part) throws IOException {
        Path file = Path.of(part.from());
        return switch (FileFormat.of(file)) {
            case JSONL -> {
                String[] piece = part.to().split("-");
                long start = Long.parseLong(piece[0]);
                yield new LineReader(
                        file,
                        part.position().map(Long::parseLong),
                        start,
                        Long.parseLong(piece[1]));
            }
            case CSV -> RowReader.ofCsv(file, skipped(part));
            case JSON -> RowReader.ofJson(file, skipped(part));
        };
    }

    private static long skipped(Part part) {
        return part.position().map(Long::parseLong).orElse(0L);
    }
}
