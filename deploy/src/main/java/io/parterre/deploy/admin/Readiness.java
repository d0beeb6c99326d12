package io.parterre.deploy.admin;

import java.util.Optional;

/** Whether clients would be served now. Asked on an event loop: answers from memory, at once. */
@FunctionalInterface
public interface Readiness {
    /** What is still missing; empty when nothing is. */
    Optional<String> missing();
}
