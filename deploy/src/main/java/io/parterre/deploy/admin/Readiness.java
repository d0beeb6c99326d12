package io.parterre.deploy.admin;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Whether clients would be served now. Called on an event loop, so it must not block. */
@FunctionalInterface
public interface Readiness {
    /**
     * Returns what is missing; empty if nothing is. Does not fail, and completes within seconds.
     */
    CompletionStage<Optional<String>> missing();

    /**
     * Returns what will be missing unless an operator acts; empty if nothing will. Must not block.
     */
    default Optional<String> warning() {
        return Optional.empty();
    }
}
