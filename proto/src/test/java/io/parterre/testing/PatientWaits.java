package io.parterre.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Lets the tests of all modules wait long for what must come, unless they name a limit of their
 * own: it says when a test is hopeless, not how fast the product is, and a busy machine takes many
 * times a quiet one's time.
 *
 * <p>Found by JUnit itself (a service), so that no test can forget it.
 */
public final class PatientWaits implements TestExecutionListener {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Used by JUnit. */
    public PatientWaits() {}

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        Awaitility.setDefaultTimeout(LIMIT);
        // A wait would hear the exceptions of all classes that run beside its own, and replace the
        // handler of UncaughtExceptions, which tells one class's from the others'.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }
}
