package io.parterre.frontend.http;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all connections of a server share. Safe for any thread.
 *
 * @param closing set before any connection is told, so that no answer from then on promises a
 *     connection that stays
 */
record HttpServerContext(
        HttpServerConfig config,
        HttpHandler handler,
        Refusal.Wording wording,
        ByteBudget budget,
        AnswerWriter answers,
        AtomicBoolean closing) {
    /** Answers below this size are gone too soon to be counted. */
    static final int COUNTED_ANSWER_BYTES_MIN = 32 * 1_024;

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerContext.class);

    boolean secure() {
        return config.tls().isPresent();
    }

    void handle(HttpCall call, BiConsumer<HttpAnswer, Throwable> whenDone) {
        CompletionStage<HttpAnswer> stage;
        try {
            stage = handler.handle(call);
        } catch (RuntimeException thrown) {
            whenDone.accept(null, thrown);
            return;
        }
        stage.whenComplete(whenDone);
    }

    HttpAnswer refuse(Refusal refusal, HeaderList request) {
        return wording.answer(refusal, request);
    }

    /** What a client is told when the handler did not give an answer. */
    HttpAnswer failed(HeaderList request, Throwable error) {
        HttpAnswer told = refuse(Refusal.FAILED, request);
        LOG.error(
                "http handler failed requestId={}",
                told.headers().first("x-ms-request-id").orElse(""),
                error);
        return told;
    }
}
