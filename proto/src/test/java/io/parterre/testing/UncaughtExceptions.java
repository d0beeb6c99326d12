package io.parterre.testing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class if a thread that it started, or that such a thread started, has ended by an
 * exception. What comes after the end of its class, or from a thread that cannot be told to work
 * for one, fails the run. A thread of a pool that many classes share counts as that of the class
 * for which the pool grew; the failure tells which classes ran at that moment.
 *
 * <p>Found by JUnit itself (autodetection), so that no test can forget it.
 */
public final class UncaughtExceptions implements BeforeAllCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(UncaughtExceptions.class);

    private static final Set<Predicate<Throwable>> EXPECTED = ConcurrentHashMap.newKeySet();

    static {
        EXPECTED.add(SimulatedCrash.class::isInstance);
    }

    /** Used by JUnit. */
    public UncaughtExceptions() {}

    /**
     * Lets threads of this process end by these from now on: for a test that breaks what they work
     * with, where the product loses them as well and acts on it.
     */
    public static void expect(Predicate<Throwable> expected) {
        EXPECTED.add(expected);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        watch(context).classes.add(className(context));
        watch(context).running.add(className(context));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        watch(context).running.remove(className(context));
        watch(context).failFor(Optional.of(className(context)));
    }

    private static Watch watch(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(Watch.class, first -> new Watch(), Watch.class);
    }

    private static String className(ExtensionContext context) {
        return context.getRequiredTestClass().getName();
    }

    private record Uncaught(Optional<String> testClass, Throwable report) {}

    /** Hears of them as long as a run of JUnit Jupiter's goes on. */
    private static final class Watch implements Thread.UncaughtExceptionHandler, AutoCloseable {
        /** Those that have begun in this run. */
        private final Set<String> classes = ConcurrentHashMap.newKeySet();

        /** Those that have not ended. */
        private final Set<String> running = ConcurrentHashMap.newKeySet();

        // Guarded by this.
        private final List<Uncaught> all = new ArrayList<>();

        /** Possibly that of a run within which this one runs. */
        private final Thread.UncaughtExceptionHandler outer;

        Watch() {
            try {
                // Sets a handler of its own as it is loaded, which would replace this one later.
                Class.forName("org.apache.ratis.util.ExitUtils$States");
            } catch (ClassNotFoundException withoutRatis) {
                // Then it replaces nothing.
            }
            ServiceLoader.load(ExpectedFailure.class).forEach(EXPECTED::add);
            outer = Thread.getDefaultUncaughtExceptionHandler();
            Thread.setDefaultUncaughtExceptionHandler(this);
        }

        @Override
        public void uncaughtException(Thread thread, Throwable failure) {
            if (EXPECTED.stream().anyMatch(expected -> expected.test(failure))) {
                return;
            }
            Optional<String> testClass = TestFolders.running();
            if (outer instanceof Watch around && testClass.filter(classes::contains).isEmpty()) {
                around.uncaughtException(thread, failure);
            } else {
                add(testClass, thread, failure);
            }
        }

        private synchronized void add(
                Optional<String> testClass, Thread thread, Throwable failure) {
            String text =
                    String.format(
                            "thread %s of %s ended at %s while these ran: %s",
                            thread.getName(),
                            testClass.orElse("no test class"),
                            Instant.now(),
                            running);
            all.add(new Uncaught(testClass, new AssertionError(text, failure)));
        }

        private synchronized void failFor(Optional<String> testClass) {
            Thread.UncaughtExceptionHandler now = Thread.getDefaultUncaughtExceptionHandler();
            if (!(now instanceof Watch)) {
                throw new AssertionError("uncaught exceptions are not watched any more: " + now);
            }
            List<Uncaught> those =
                    all.stream()
                            .filter(
                                    each ->
                                            testClass.isEmpty()
                                                    || testClass.equals(each.testClass()))
                            .toList();
            all.removeAll(those);
            if (!those.isEmpty()) {
                AssertionError failure =
                        new AssertionError("threads ended by exceptions: " + those.size());
                those.forEach(each -> failure.addSuppressed(each.report()));
                throw failure;
            }
        }

        @Override
        public void close() {
            try {
                failFor(Optional.empty());
            } finally {
                Thread.setDefaultUncaughtExceptionHandler(outer);
            }
        }
    }
}
