package io.parterre.deploy.admin;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Whether clients would be served now. Asked on an event loop: must not block. */
@FunctionalInterface
public interface Readiness {
    /** What is missing; empty when nothing is. Does not fail, and completes within seconds. */
    CompletionStage<Optional<String>> missing();

    /** What will be missing if nobody acts; empty when nothing will. Must not block. */
    default Optional<String> warning() {
        return Optional.empty();
    }
}
