package io.parterre.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Collects what is needed to understand a failed test in one folder, {@code
 * target/failed-tests/Class.method} of its module, and names that folder in the failure: the stack
 * trace with the seeds it tells, what the test's own process logged since its class began, and the
 * logs of every process and node in folders of the test.
 *
 * <p>Found by JUnit itself (autodetection), so that no test can forget it.
 */
public final class FailureEvidence
        implements BeforeAllCallback,
                BeforeEachCallback,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {
    private static final Path ALL = Path.of("target", "failed-tests");

    /** Where {@code logback-test.xml} has the process log to. */
    private static final Path LOG =
            Path.of(System.getProperty("parterre.test.log", "target/test-logs/tests.log"));

    private static final Pattern INVOCATION = Pattern.compile("-invocation:#(\\d+)]$");

    private static final int LOG_BYTES_MAX = 8 << 20;
    private static final int FILES_MAX = 200;

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(FailureEvidence.class);

    private static final String LOG_BEGIN = "log begin";

    /** Used by JUnit. */
    public FailureEvidence() {}

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        TestFolders.running(context);
        context.getStore(NAMESPACE).put(LOG_BEGIN, Files.exists(LOG) ? Files.size(LOG) : 0L);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        TestFolders.running(context);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        throw collected(context, failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        throw collected(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(
            ExtensionContext context, Throwable failure) throws Throwable {
        throw collected(context, failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        throw collected(context, failure);
    }

    @Override
    public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable failure)
            throws Throwable {
        throw collected(context, failure);
    }

    private static Throwable collected(ExtensionContext context, Throwable failure) {
        if (failure instanceof TestAbortedException) {
            return failure;
        }
        try {
            failure.addSuppressed(new Evidence(collect(context, failure)));
        } catch (IOException | UncheckedIOException cause) {
            failure.addSuppressed(cause);
        }
        return failure;
    }

    private static Path collect(ExtensionContext context, Throwable failure) throws IOException {
        Path folder = ALL.resolve(nameOf(context)).toAbsolutePath();
        Files.createDirectories(folder);
        List<Path> sources = TestFolders.of(context).stream().filter(Files::exists).toList();
        StringWriter text = new StringWriter();
        PrintWriter printer = new PrintWriter(text);
        printer.printf("%s %s%n", context.getUniqueId(), context.getDisplayName());
        printer.printf("failed at %s%n", Instant.now());
        sources.forEach(source -> printer.printf("data: %s%n", source));
        failure.printStackTrace(printer);
        Files.writeString(folder.resolve("failure.txt"), text.toString());
        copyLogOfThisProcess(context, folder.resolve("tests.log"));
        for (Path source : sources) {
            copyLogs(source, folder);
        }
        return folder;
    }

    /** With the number of the invocation, where a method has several. */
    private static String nameOf(ExtensionContext context) {
        String testClass = context.getRequiredTestClass().getSimpleName();
        Matcher invocation = INVOCATION.matcher(context.getUniqueId());
        String number = invocation.find() ? "-" + invocation.group(1) : "";
        return context.getTestMethod()
                .map(method -> testClass + "." + method.getName() + number)
                .orElse(testClass);
    }

    private static void copyLogOfThisProcess(ExtensionContext context, Path to) throws IOException {
        if (Files.exists(LOG)) {
            Long begin = context.getStore(NAMESPACE).get(LOG_BEGIN, Long.class);
            Files.writeString(to, end(LOG, begin == null ? 0 : begin), UTF_8);
        }
    }

    private static void copyLogs(Path source, Path folder) throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.walk(source)) {
            logs = files.filter(FailureEvidence::isLog).limit(FILES_MAX).toList();
        }
        for (Path log : logs) {
            Path to = folder.resolve(source.getFileName()).resolve(source.relativize(log));
            Files.createDirectories(to.getParent());
            Files.writeString(to, end(log, 0), UTF_8);
        }
    }

    /** Says whether a file is text that a process wrote for people; those of stores are not. */
    private static boolean isLog(Path file) {
        String name = file.getFileName().toString();
        return Files.isRegularFile(file)
                && (name.equals("log")
                        || name.endsWith(".json")
                        || name.endsWith(".yaml")
                        || name.matches("(?!\\d+\\.log).*\\.(log|out|err|txt)(\\.\\d+)?"));
    }

    /** Returns what the file holds from the offset on, its last bytes if that is too much. */
    private static String end(Path file, long offset) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long begin = Math.max(offset, channel.size() - LOG_BYTES_MAX);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.max(0, channel.size() - begin));
            channel.position(begin);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                continue;
            }
            return new String(bytes.array(), 0, bytes.position(), UTF_8);
        }
    }

    /** Carries the name of the folder into the report of whatever runs the tests. */
    private static final class Evidence extends Exception {
        private static final long serialVersionUID = 1;

        Evidence(Path folder) {
            super("what is needed to understand this failure: " + folder, null, false, false);
        }
    }
}
