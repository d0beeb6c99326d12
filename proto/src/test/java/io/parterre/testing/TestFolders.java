package io.parterre.testing;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the folders of tests, below {@code target/test-folders} of their module, and remembers
 * which test class asked for each, so that {@link FailureEvidence} can collect the logs in them.
 * JUnit takes it for every {@code @TempDir}. Safe for any thread.
 */
public final class TestFolders implements TempDirFactory {
    private static final Path ALL = Path.of("target", "test-folders");

    private static final Map<String, Queue<Path>> BY_CLASS = new ConcurrentHashMap<>();

    /**
     * The class whose test this thread runs, or ran when it started this thread: what a test calls
     * cannot know its context.
     */
    private static final InheritableThreadLocal<String> RUNNING = new InheritableThreadLocal<>();

    /** Used by JUnit. */
    public TestFolders() {}

    /**
     * Makes an empty folder for the test that this thread runs. It stays after the test.
     *
     * @param name what the folder's name begins with
     * @throws UncheckedIOException if the folder cannot be made
     */
    public static Path create(String name) {
        try {
            String testClass = RUNNING.get();
            return create(testClass == null ? "" : testClass, name);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
            throws IOException {
        String testClass = className(context);
        String test = context.getTestMethod().map(method -> "." + method.getName()).orElse("");
        return create(testClass, testClass.substring(testClass.lastIndexOf('.') + 1) + test);
    }

    /**
     * Tells which class this thread runs the tests of.
     *
     * @return which it was before
     */
    static Optional<String> running(Optional<String> testClass) {
        Optional<String> before = running();
        testClass.ifPresentOrElse(RUNNING::set, RUNNING::remove);
        return before;
    }

    /** Returns the class that this thread runs the tests of, or works for. */
    static Optional<String> running() {
        return Optional.ofNullable(RUNNING.get());
    }

    /** Returns the folders made for tests of the class, also those deleted since. */
    static List<Path> of(String testClass) {
        return List.copyOf(BY_CLASS.getOrDefault(testClass, new ConcurrentLinkedQueue<>()));
    }

    private static String className(ExtensionContext context) {
        return requireNonNull(context.getRequiredTestClass().getName());
    }

    private static Path create(String testClass, String name) throws IOException {
        Files.createDirectories(ALL);
        Path folder = Files.createTempDirectory(ALL, name + "-").toAbsolutePath();
        BY_CLASS.computeIfAbsent(testClass, ignored -> new ConcurrentLinkedQueue<>()).add(folder);
        return folder;
    }
}
