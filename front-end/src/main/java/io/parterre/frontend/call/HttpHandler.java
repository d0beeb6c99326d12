package io.parterre.frontend.call;

import java.util.concurrent.CompletionStage;

/**
 * Answers calls. Called on the event loop, so it must not block; the stage may complete on any
 * thread. A stage that completes exceptionally is answered with 500; expected errors are answers.
 */
public interface HttpHandler {
    CompletionStage<HttpAnswer> handle(HttpCall call);
}
