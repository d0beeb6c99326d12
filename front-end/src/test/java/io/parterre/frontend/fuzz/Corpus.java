package io.parterre.frontend.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The kept inputs of a target: one file each, bytes as they are. */
public final class Corpus {
    private static final Path FOLDER = Path.of("src/test/resources/fuzz");

    private Corpus() {}

    /** Files of the target's folder by name, and further inputs, which are made by code. */
    static List<byte[]> of(String target, List<String> further) throws IOException {
        List<byte[]> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER.resolve(target))) {
            for (Path file : files.sorted().toList()) {
                all.add(Files.readAllBytes(file));
            }
        }
        further.forEach(text -> all.add(text.getBytes(UTF_8)));
        return all;
    }
}
