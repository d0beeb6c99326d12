package io.parterre.frontend.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.frontend.service.CaseFile.Exchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Requests of the case files as inputs to begin with: a new case is a new seed. */
final class CaseSeeds {
    private static final Path FOLDER = Path.of("src/test/resources/cases");
    private static final int CHARS_MAX = 4_000;

    /** Cases play every request anyway; here they only lend their form. */
    private static final int SEEDS_MAX = 100;

    private CaseSeeds() {}

    /** What the function finds in each exchange, each once. */
    static List<String> of(Function<Exchange, Stream<String>> found) throws IOException {
        LinkedHashSet<String> seeds = new LinkedHashSet<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.sorted().toList()) {
                for (CaseFile.Case each : CaseFile.parse(Files.readString(file, UTF_8))) {
                    each.exchanges().stream()
                            .flatMap(found)
                            .filter(text -> text.length() <= CHARS_MAX)
                            .forEach(seeds::add);
                }
            }
        }
        return sample(new ArrayList<>(seeds));
    }

    /** As many as are wanted, from all of the files. */
    private static List<String> sample(List<String> seeds) {
        int every = 1 + seeds.size() / SEEDS_MAX;
        return new ArrayList<>(
                IntStream.range(0, seeds.size())
                        .filter(index -> index % every == 0)
                        .mapToObj(seeds::get)
                        .toList());
    }

    /** Decoded values of a parameter. */
    static Stream<String> parameter(Exchange exchange, String name) {
        Matcher matcher =
                Pattern.compile("[?&]" + Pattern.quote(name) + "=([^&]*)")
                        .matcher(exchange.target().replace("%24", "$"));
        return matcher.results().flatMap(match -> decoded(match.group(1)));
    }

    private static Stream<String> decoded(String value) {
        try {
            return Stream.of(URLDecoder.decode(value, UTF_8));
        } catch (IllegalArgumentException malformed) {
            return Stream.empty();
        }
    }

    /** Bodies of a kind; a batch has its content type before it, on a line of its own. */
    static Stream<String> body(Exchange exchange, String kind) {
        String type = exchange.headers().first("Content-Type").orElse("application/json");
        boolean fits = !exchange.body().isEmpty() && type.contains(kind);
        return !fits
                ? Stream.empty()
                : Stream.of(
                        kind.equals("multipart") ? type + "\n" + exchange.body() : exchange.body());
    }
}
