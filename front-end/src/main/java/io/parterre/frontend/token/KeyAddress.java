package io.parterre.frontend.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A key set at an address. Follows no redirect, because only the configuration says which address
 * is trusted.
 */
final class KeyAddress implements KeyDocument {
    private final URI address;
    private final Duration timeout;
    private final HttpClient client;

    /**
     * Creates a document that is read from this address.
     *
     * @param timeout limit of one read, from the connection to the last byte
     */
    KeyAddress(URI address, Duration timeout) {
        this.address = address;
        this.timeout = timeout;
        this.client =
                HttpClient.newBuilder()
                        .connectTimeout(timeout)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
    }

    @Override
    public String read() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(address)
                        .timeout(timeout)
                        .header("Accept", "application/json")
                        .build();
        CompletableFuture<HttpResponse<byte[]>> call =
                client.sendAsync(request, head -> new BoundedBody());
        try {
            HttpResponse<byte[]> answer = call.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() != 200) {
                throw new IOException(address + ": " + answer.statusCode() + " (expected: 200)");
            }
            return new String(answer.body(), UTF_8);
        } catch (ExecutionException failed) {
            throw new IOException(address + ": " + failed.getCause(), failed.getCause());
        } catch (TimeoutException slow) {
            call.cancel(true);
            throw new IOException(address + ": no answer within " + timeout, slow);
        }
    }

    /**
     * Collects a body until it is complete or too large. Called by one thread at a time, as the
     * contract of flows guarantees.
     */
    private static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.Subscription subscription;

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                byte[] piece = new byte[buffer.remaining()];
                buffer.get(piece);
                bytes.writeBytes(piece);
            }
            if (bytes.size() > BYTES_MAX) {
                subscription.cancel();
                body.completeExceptionally(
                        new IOException("too large (expected: <= " + BYTES_MAX + " bytes)"));
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toByteArray());
        }
    }
}
