package io.parterre.frontend.http;

import io.netty.channel.EventLoop;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all connections of a server share. Thread-safe.
 *
 * @param notes creates the notes of each request
 * @param account counts the memory that clients make the server hold
 * @param closing set before any connection is told to close, so that from then on no answer
 *     promises that its connection stays
 */
record HttpServerContext(
        HttpServerConfig config,
        HttpHandler handler,
        HttpRefusal.Wording wording,
        CallNotes.Source notes,
        MemoryAccount account,
        ConnectionTable<HttpConnection> connections,
        CutOffCounts cutOffs,
        AnswerWriter answers,
        AtomicBoolean closing) {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServerContext.class);

    boolean secure() {
        return config.tls().isPresent();
    }

    /**
     * Executes a call.
     *
     * @param home event loop on which the answer is delivered, whatever thread completes it
     */
    void handle(HttpCall call, EventLoop home, Consumer<HttpAnswer> whenDone) {
        CompletionStage<HttpAnswer> stage;
        try {
            stage = handler.handle(call);
        } catch (RuntimeException thrown) {
            stage = CompletableFuture.failedStage(thrown);
        }
        stage.whenComplete(
                (answer, error) -> {
                    HttpAnswer given =
                            error == null && answer != null
                                    ? answer
                                    : failed(call.headers(), error);
                    if (home.inEventLoop()) {
                        whenDone.accept(given);
                    } else {
                        giveAt(home, () -> whenDone.accept(given));
                    }
                });
    }

    private static void giveAt(EventLoop home, Runnable answering) {
        try {
            home.execute(answering);
        } catch (RejectedExecutionException stopped) {
            LOG.debug("answer came after the server stopped");
        }
    }

    HttpAnswer refuse(HttpRefusal refusal, HeaderList request) {
        return wording.answer(refusal, request);
    }

    /** Returns the answer to a request for which the handler gave none. */
    private HttpAnswer failed(HeaderList request, Throwable error) {
        HttpAnswer told = refuse(HttpRefusal.FAILED, request);
        LOG.error(
                "http handler failed requestId={}",
                told.headers().first("x-ms-request-id").orElse(""),
                error);
        return told;
    }
}
