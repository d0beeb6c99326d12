package io.parterre.deploy.certs.kubernetes;

import java.time.Duration;

/** Lets time go by. */
@FunctionalInterface
public interface Pause {
    void sleep(Duration length) throws InterruptedException;
}
