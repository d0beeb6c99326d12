package io.parterre.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets the tests of proto, of the roles and of deploy wait long for what must come, unless they
 * name a limit of their own: it says when a test is hopeless, not how fast the product is, and a
 * busy machine takes many times a quiet one's time.
 *
 * <p>Found by JUnit itself (autodetection), so that no test can forget it.
 */
public final class PatientWaits implements BeforeAllCallback {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
        // Threads of the classes that run beside this one may end by exceptions, as theirs have to.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
    }
}
