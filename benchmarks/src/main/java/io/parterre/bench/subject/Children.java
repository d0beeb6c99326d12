package io.parterre.bench.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Starts processes and ensures that none outlives this one, even when it is interrupted.
 * Thread-safe.
 */
public final class Children implements AutoCloseable {
    private final ConcurrentLinkedQueue<Child> children = new ConcurrentLinkedQueue<>();
    private final Thread atExit = new Thread(this::endAll, "end-children");

    public Children() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts a process that writes to a log file.
     *
     * @param environment variables besides those of this process
     */
    Child start(String name, Path log, Map<String, String> environment, List<String> command)
            throws IOException {
        Files.createDirectories(log.getParent());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        Child child = new Child(name, builder.start(), log);
        children.add(child);
        return child;
    }

    private void endAll() {
        children.forEach(Child::close);
        children.clear();
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(atExit);
        endAll();
    }
}
