package io.parterre.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

final class SpanSinkTest {
    @Test
    void bytesOfSpansAreCounted() throws Exception {
        try (SpanSink sink = SpanSink.start()) {
            HttpRequest post =
                    HttpRequest.newBuilder(URI.create(sink.url()))
                            .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[1_000]))
                            .build();
            HttpClient client = HttpClient.newHttpClient();
            assertThat(client.send(post, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
            assertThat(sink.bytes()).isEqualTo(1_000);
        }
    }
}
