package io.parterre.crash;

import io.parterre.concurrent.DaemonThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Halts this process at a moment, as SIGKILL would: no hook runs, nothing is flushed. For
 * developers and tests only.
 *
 * <ul>
 *   <li>{@code -Dparterre.crash.at=AFTER_APPLY:3} ends the process at the third passage since its
 *       start.
 *   <li>{@code -Dparterre.crash.file=PATH} ends it likewise, counted from when the file appears
 *       with such a text. The file is deleted before the end, so that it does not end the next
 *       process.
 * </ul>
 */
final class ProcessCrash<P extends Enum<P>> implements CrashHook<P> {
    /** Exit code of a process that this class ended; the product itself uses no such code. */
    static final int EXIT_CODE = 86;

    private static final String AT = "parterre.crash.at";
    private static final String FILE = "parterre.crash.file";
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(20);

    private record Armed<P>(P point, int passagesLeft) {}

    private final Class<P> points;
    private final Optional<Path> file;
    private final AtomicReference<Optional<Armed<P>>> armed =
            new AtomicReference<>(Optional.empty());

    private ProcessCrash(Class<P> points, Optional<Path> file) {
        this.points = points;
        this.file = file;
    }

    static <P extends Enum<P>> Optional<CrashHook<P>> asked(Class<P> points) {
        Optional<String> at = Optional.ofNullable(System.getProperty(AT));
        Optional<Path> file = Optional.ofNullable(System.getProperty(FILE)).map(Path::of);
        if (at.isEmpty() && file.isEmpty()) {
            return Optional.empty();
        }
        ProcessCrash<P> crash = new ProcessCrash<>(points, file);
        at.ifPresent(crash::arm);
        if (file.isPresent()) {
            DaemonThreads.unstarted("crash-order", crash::look).start();
        }
        return Optional.of(crash);
    }

    /** Ignores a moment of another role's list. */
    private void arm(String text) {
        CrashOrder.parse(text)
                .flatMap(
                        order ->
                                Arrays.stream(points.getEnumConstants())
                                        .filter(each -> each.name().equals(order.point()))
                                        .map(each -> new Armed<>(each, order.passage()))
                                        .findFirst())
                .ifPresent(order -> armed.set(Optional.of(order)));
    }

    private void look() {
        Path watched = file.orElseThrow();
        while (armed.get().isEmpty()) {
            try {
                if (Files.exists(watched)) {
                    arm(Files.readString(watched));
                }
            } catch (IOException beingWritten) {
                // The next look finds the whole file.
                Thread.onSpinWait();
            }
            LockSupport.parkNanos(LOOK_INTERVAL.toNanos());
        }
    }

    @Override
    public void reached(P point) {
        Optional<Armed<P>> left =
                armed.updateAndGet(
                        order ->
                                order.map(
                                        each ->
                                                each.point() == point
                                                        ? new Armed<>(
                                                                point, each.passagesLeft() - 1)
                                                        : each));
        if (left.filter(each -> each.point() == point && each.passagesLeft() <= 0).isPresent()) {
            file.ifPresent(each -> each.toFile().delete());
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }
}
