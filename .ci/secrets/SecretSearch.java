import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks for secrets in all files of a folder, logs and stored data alike: keys that the caller
 * chose, in every form in which they could have got there, and credentials that nobody knows before
 * but that have a form of their own (signatures, tokens). One file, so that {@code java} runs it:
 *
 * <pre>
 * java .ci/secrets/SecretSearch.java FOLDER [--except NAME]... &lt; SECRETS
 * </pre>
 *
 * <p>A line of SECRETS is a word for people, a space, and the secret: text, or bytes in Base64.
 * {@code --except} names files that are made to hold secrets, wherever they are: settings, keys.
 * Ends with code 1 if a secret is found; nothing of it is printed. Before, it hides each form of
 * each secret in bytes of its own and fails unless it finds it there.
 */
public final class SecretSearch {
    private static final int CHUNK = 1 << 22;

    /** Longer than any form. */
    private static final int OVERLAP = 4_096;

    private static final int BYTES_MIN = 16;

    /** What has these forms is a credential, whoever's. The service writes {@code sig=XXXXX}. */
    private static final Map<String, Pattern> FORMS =
            Map.of(
                    "a signature of an address",
                    Pattern.compile(
                            "(?i)(?:[?&;\\s\"]|%3f|%26)sig(?:=|%3d)(?!XXXXX)[a-z0-9+/%]{40}"),
                    "a signature of a header",
                    Pattern.compile("SharedKey(?:Lite)? [a-z0-9]+:[A-Za-z0-9+/]{40}"),
                    "a token of a header",
                    Pattern.compile("Bearer ey[A-Za-z0-9_-]{16}"));

    private static final List<String> EXAMPLES =
            List.of(
                    "GET /a/t()?sv=2019&sig=" + "aB3%2F".repeat(8) + "&sp=r",
                    "ref=https%3A%2F%2Fh%2Ft%3Fsig%3D" + "a".repeat(43),
                    "Authorization: SharedKeyLite orders:" + "a+/9".repeat(10),
                    "Authorization: Bearer eyJhbGciOiJSUzI1NiIsInR5cCI6");

    private static final int PASSES_MAX = 20;

    private final Map<String, String> wanted = new LinkedHashMap<>();
    private final List<String> found = new ArrayList<>();
    private long files;
    private long bytes;

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            System.err.println("usage: SecretSearch FOLDER [--except NAME]... < SECRETS");
            System.exit(2);
        }
        List<String> except = new ArrayList<>();
        for (int i = 1; i + 1 < arguments.length; i += 2) {
            except.add(arguments[i + 1]);
        }
        SecretSearch search = new SecretSearch();
        new String(System.in.readAllBytes(), UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(search::want);
        Optional<String> blind = search.blind();
        if (blind.isPresent() || search.wanted.isEmpty()) {
            System.err.println("search of no use: " + blind.orElse("no secret is given"));
            System.exit(2);
        }
        search.walk(Path.of(arguments[0]), except);
        search.found.forEach(System.err::println);
        System.out.println(
                "looked for secrets in "
                        + search.files
                        + " files, "
                        + (search.bytes >> 20)
                        + " MiB, in "
                        + (search.wanted.size() + FORMS.size())
                        + " forms: "
                        + (search.found.isEmpty() ? "none found" : search.found.size() + " found"));
        System.exit(search.found.isEmpty() ? 0 : 1);
    }

    private void want(String line) {
        int space = line.indexOf(' ');
        String name = line.substring(0, space);
        String secret = line.substring(space + 1).strip();
        want(name + " as it is", secret);
        want(name + " in an address", URLEncoder.encode(secret, UTF_8));
        want(name + " in an address", URLEncoder.encode(secret, UTF_8).toLowerCase(Locale.ROOT));
        byte[] raw;
        try {
            raw = Base64.getDecoder().decode(secret);
        } catch (IllegalArgumentException text) {
            raw = secret.getBytes(UTF_8);
        }
        if (raw.length < BYTES_MIN) {
            throw new IllegalArgumentException(
                    name + ": " + raw.length + " bytes (expected: at least " + BYTES_MIN + ")");
        }
        want(name + " as bytes", new String(raw, ISO_8859_1));
        want(name + " as hexadecimal", HexFormat.of().formatHex(raw));
        want(name + " as hexadecimal", HexFormat.of().withUpperCase().formatHex(raw));
        want(name + " as Base64", unpadded(Base64.getEncoder().encodeToString(raw)));
        want(name + " as Base64", unpadded(Base64.getUrlEncoder().encodeToString(raw)));
        // As a debugger or a log of an array shows them.
        String numbers = Arrays.toString(raw);
        want(name + " as numbers", numbers.substring(1, numbers.length() - 1));
    }

    private static String unpadded(String base64) {
        return base64.replace("=", "");
    }

    private void want(String name, String form) {
        wanted.putIfAbsent(form, name);
    }

    /** A form that would not be found where it is; empty: all would. */
    private Optional<String> blind() {
        for (Map.Entry<String, String> each : wanted.entrySet()) {
            String text = "x".repeat(CHUNK - 7) + each.getKey() + "y";
            if (look(text.substring(CHUNK - OVERLAP)).noneMatch(each.getValue()::equals)) {
                return Optional.of(each.getValue());
            }
        }
        return EXAMPLES.stream()
                .filter(example -> look(example).findAny().isEmpty())
                .findFirst();
    }

    private Stream<String> look(String text) {
        return Stream.concat(
                wanted.entrySet().stream()
                        .filter(each -> text.contains(each.getKey()))
                        .map(Map.Entry::getValue),
                FORMS.entrySet().stream()
                        .filter(each -> each.getValue().matcher(text).find())
                        .map(Map.Entry::getKey));
    }

    /**
     * Processes that run rename and delete files. Where a file is gone the folder is walked again, for
     * the names that were not there before.
     */
    private void walk(Path folder, List<String> except) throws IOException {
        Set<Path> seen = new HashSet<>();
        for (int pass = 0; pass < PASSES_MAX; pass++) {
            boolean[] gone = new boolean[1];
            Files.walkFileTree(
                    folder,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            boolean wanted =
                                    attributes.isRegularFile()
                                            && !except.contains(file.getFileName().toString());
                            if (wanted && !seen.contains(file)) {
                                try {
                                    file(folder, file);
                                    seen.add(file);
                                } catch (NoSuchFileException moved) {
                                    gone[0] = true;
                                }
                            }
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException failure)
                                throws IOException {
                            return skipIfGone(failure);
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                                throws IOException {
                            return failure == null ? FileVisitResult.CONTINUE : skipIfGone(failure);
                        }

                        private FileVisitResult skipIfGone(IOException failure) throws IOException {
                            if (!(failure instanceof NoSuchFileException)) {
                                throw failure;
                            }
                            gone[0] = true;
                            return FileVisitResult.CONTINUE;
                        }
                    });
            if (!gone[0]) {
                return;
            }
        }
    }

    private void file(Path folder, Path file) throws IOException {
        byte[] buffer = new byte[CHUNK];
        String tail = "";
        long offset = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            files++;
            for (int read = in.readNBytes(buffer, 0, CHUNK);
                    read > 0;
                    read = in.readNBytes(buffer, 0, CHUNK)) {
                String text = tail + new String(buffer, 0, read, ISO_8859_1);
                long at = offset;
                look(text)
                        .forEach(
                                what ->
                                        found.add(
                                                folder.relativize(file)
                                                        + " holds "
                                                        + what
                                                        + ", after byte "
                                                        + at));
                tail = text.substring(Math.max(0, text.length() - OVERLAP));
                offset += read;
                bytes += read;
            }
        }
    }
}
