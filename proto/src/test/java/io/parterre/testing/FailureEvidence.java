package io.parterre.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Collects what is needed to understand a failed test in one folder, {@code
 * target/failed-tests/Class.method} of its module, and prints that folder: the stack trace, seeds
 * and samples, what the test's own process logged since its class began, and the logs of every
 * process and node in folders of the test. Tests of every engine and form are covered, and what
 * fails around them: each invocation, each case of a factory, each property, the methods before and
 * after.
 *
 * <p>Found by JUnit itself (a service), so that no test can forget it.
 */
public final class FailureEvidence implements TestExecutionListener {
    /** Where {@code logback-test.xml} has the process log to. */
    private static final Path LOG =
            Path.of(System.getProperty("parterre.test.log", "target/test-logs/tests.log"));

    private static final int LOG_BYTES_MAX = 8 << 20;
    private static final int FILES_MAX = 200;

    private final Path all;
    private final Path log;
    private final PrintStream console;

    /** How long the log was when each class began. */
    private final Map<String, Long> logBegins = new ConcurrentHashMap<>();

    /** What tests that run have published: the seeds of properties among it. */
    private final Map<String, Queue<String>> published = new ConcurrentHashMap<>();

    /** The class that a thread ran before it began the test. */
    private final Map<String, Optional<String>> before = new ConcurrentHashMap<>();

    private volatile TestPlan plan;
    private volatile boolean failed;

    /** Used by JUnit. */
    public FailureEvidence() {
        this(Path.of("target", "failed-tests"), LOG, System.err);
    }

    FailureEvidence(Path all, Path log, PrintStream console) {
        this.all = all;
        this.log = log;
        this.console = console;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan begun) {
        plan = begun;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        className(test)
                .ifPresent(
                        testClass -> {
                            before.put(
                                    test.getUniqueId(),
                                    TestFolders.running(Optional.of(testClass)));
                            logBegins.computeIfAbsent(testClass, begun -> logBytes());
                        });
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        published
                .computeIfAbsent(test.getUniqueId(), first -> new ConcurrentLinkedQueue<>())
                .add(
                        entry.getKeyValuePairs().entrySet().stream()
                                .map(each -> each.getKey() + ": " + each.getValue())
                                .collect(Collectors.joining("\n")));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            failed = true;
            published(test).forEach(console::println);
            try {
                // What reports the failure itself has been told of it before.
                console.printf(
                        "what is needed to understand the failure of %s: %s%n",
                        titles(test), collect(test, result.getThrowable()));
            } catch (IOException | UncheckedIOException cause) {
                console.printf("evidence of %s not kept: %s%n", test.getUniqueId(), cause);
            }
        }
        published.remove(test.getUniqueId());
        Optional<String> ran = before.remove(test.getUniqueId());
        if (ran != null) {
            TestFolders.running(ran);
        }
    }

    /** The report is the last step of a build, which a failure leaves out. */
    @Override
    public void testPlanExecutionFinished(TestPlan ended) {
        if (failed) {
            console.println(
                    "what this build took, failed and reached until now:"
                            + " java .ci/report/TestReport.java");
        }
    }

    private Queue<String> published(TestIdentifier test) {
        return published.getOrDefault(test.getUniqueId(), new ConcurrentLinkedQueue<>());
    }

    private Path collect(TestIdentifier test, Optional<Throwable> failure) throws IOException {
        Path folder = all.resolve(nameOf(test)).toAbsolutePath();
        Files.createDirectories(folder);
        List<Path> sources =
                className(test).map(TestFolders::of).orElse(List.of()).stream()
                        .filter(Files::exists)
                        .toList();
        StringWriter text = new StringWriter();
        PrintWriter printer = new PrintWriter(text);
        printer.printf("%s %s%n", test.getUniqueId(), titles(test));
        printer.printf("failed at %s%n", Instant.now());
        sources.forEach(source -> printer.printf("data: %s%n", source));
        published(test).forEach(printer::println);
        failure.ifPresent(cause -> cause.printStackTrace(printer));
        Files.writeString(folder.resolve("failure.txt"), text.toString());
        if (Files.exists(log)) {
            long begin = className(test).map(logBegins::get).orElse(0L);
            Files.writeString(folder.resolve("tests.log"), end(log, begin), UTF_8);
        }
        for (Path source : sources) {
            copyLogs(source, folder);
        }
        return folder;
    }

    /** What a list of tests calls it, from its class on. */
    private String titles(TestIdentifier test) {
        Deque<String> titles = new ArrayDeque<>();
        for (Optional<TestIdentifier> each = Optional.of(test);
                each.isPresent() && source(each.get()).isPresent();
                each = plan.getParent(each.get())) {
            titles.addFirst(each.get().getDisplayName());
        }
        return titles.isEmpty() ? test.getDisplayName() : String.join(" > ", titles);
    }

    /** With the number of the invocation or case, where a method has several. */
    private String nameOf(TestIdentifier test) {
        Optional<TestSource> source = source(test);
        String name =
                className(test)
                        .map(full -> full.substring(full.lastIndexOf('.') + 1))
                        .orElseGet(() -> test.getDisplayName().replaceAll("\\W+", "-"));
        String method =
                source.filter(MethodSource.class::isInstance)
                        .map(each -> "." + ((MethodSource) each).getMethodName())
                        .orElse("");
        String numbers =
                UniqueId.parse(test.getUniqueId()).getSegments().stream()
                        .map(UniqueId.Segment::getValue)
                        .filter(value -> value.matches("#\\d+"))
                        .map(value -> "-" + value.substring(1))
                        .collect(Collectors.joining());
        return name + method + numbers;
    }

    private Optional<String> className(TestIdentifier test) {
        return source(test)
                .map(
                        source ->
                                source instanceof MethodSource method
                                        ? method.getClassName()
                                        : ((ClassSource) source).getClassName());
    }

    /** The method that the test is or comes from, or else its class. */
    private Optional<TestSource> source(TestIdentifier test) {
        Optional<TestSource> own =
                test.getSource()
                        .filter(
                                source ->
                                        source instanceof MethodSource
                                                || source instanceof ClassSource);
        return own.isPresent() ? own : plan.getParent(test).flatMap(this::source);
    }

    private long logBytes() {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
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
}
