package io.parterre.frontend.client;

import java.util.concurrent.Executor;

/**
 * Tells where the current thread wants its answers: its event loop, if it is one, else wherever
 * they arrive.
 */
@FunctionalInterface
public interface CallbackExecutor {
    Executor current();
}
