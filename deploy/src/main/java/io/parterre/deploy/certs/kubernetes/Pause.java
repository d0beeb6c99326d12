package io.parterre.deploy.certs.kubernetes;

import java.time.Duration;

/** Sleeps; replaced in tests. */
@FunctionalInterface
public interface Pause {
    void sleep(Duration length) throws InterruptedException;
}
