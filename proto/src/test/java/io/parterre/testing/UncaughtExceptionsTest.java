package io.parterre.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** What becomes of a run in which threads end by exceptions. */
class UncaughtExceptionsTest {
    @TempDir private Path folder;

    private List<TestExecutionSummary.Failure> failuresOf(Class<?>... tests) {
        LauncherDiscoveryRequestBuilder request =
                LauncherDiscoveryRequestBuilder.request()
                        .configurationParameter(
                                "junit.jupiter.extensions.autodetection.enabled", "false")
                        .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                        .filters(EngineFilter.includeEngines("junit-jupiter"));
        for (Class<?> each : tests) {
            request.selectors(selectClass(each));
        }
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherConfig config =
                LauncherConfig.builder()
                        .enableTestExecutionListenerAutoRegistration(false)
                        .addTestExecutionListeners(
                                new FailureEvidence(
                                        folder.resolve("failed"),
                                        folder.resolve("all.log"),
                                        new PrintStream(
                                                OutputStream.nullOutputStream(), true, UTF_8)))
                        .build();
        LauncherDiscoveryRequest built = request.build();
        LauncherFactory.create(config).execute(built, summary);
        return summary.getSummary().getFailures();
    }

    private static void endByException(String message) throws InterruptedException {
        Thread thread =
                new Thread(
                        () -> {
                            throw new IllegalStateException(message);
                        },
                        "worker");
        thread.start();
        thread.join();
    }

    @ExtendWith(UncaughtExceptions.class)
    static final class Lossy {
        @Test
        void losesThread() throws InterruptedException {
            endByException("of one's own");
        }
    }

    @ExtendWith(UncaughtExceptions.class)
    static final class Sound {
        @Test
        void losesNone() {}
    }

    @ExtendWith(UncaughtExceptions.class)
    static final class Breaking {
        @Test
        void losesThreadOnPurpose() throws InterruptedException {
            UncaughtExceptions.expect(failure -> "on purpose".equals(failure.getMessage()));
            endByException("on purpose");
        }
    }

    /** Its thread is there when its class has ended. */
    @ExtendWith({Late.End.class, UncaughtExceptions.class})
    static final class Late {
        private static final CountDownLatch MAY_END = new CountDownLatch(1);
        private static Thread thread;

        @Test
        void losesThreadLater() {
            thread =
                    new Thread(
                            () -> {
                                try {
                                    MAY_END.await();
                                } catch (InterruptedException ended) {
                                    return;
                                }
                                throw new IllegalStateException("after all");
                            },
                            "late worker");
            thread.start();
        }

        /** Comes after what was registered later. */
        static final class End implements AfterAllCallback {
            @Override
            public void afterAll(ExtensionContext context) throws InterruptedException {
                MAY_END.countDown();
                thread.join();
            }
        }
    }

    @Test
    void classFails_whenThreadOfItsTestEndsByException() {
        List<TestExecutionSummary.Failure> failures = failuresOf(Lossy.class, Sound.class);
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).getTestIdentifier().getDisplayName()).endsWith("Lossy");
        assertThat(failures.get(0).getException().getSuppressed()[0])
                .hasMessageContaining("thread worker of " + Lossy.class.getName())
                .hasRootCauseMessage("of one's own");
    }

    @Test
    void classPasses_whenItExpectsTheException() {
        assertThat(failuresOf(Breaking.class)).isEmpty();
    }

    @Test
    void runFails_whenThreadEndsByExceptionAfterItsClass() {
        List<TestExecutionSummary.Failure> failures = failuresOf(Late.class, Sound.class);
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).getTestIdentifier().getDisplayName()).isEqualTo("JUnit Jupiter");
        assertThat(failures.get(0).getException())
                .hasStackTraceContaining("thread late worker of " + Late.class.getName())
                .hasStackTraceContaining("after all");
    }
}
