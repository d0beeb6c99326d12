package io.parterre.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class AnswerParserTest {
    private final Answer answer = new Answer();
    private final AnswerParser parser = new AnswerParser(answer);

    private int parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return parser.parse(bytes, 0, bytes.length);
    }

    private void parseByteByByte(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < bytes.length; i++) {
            assertThat(parser.done()).as("before byte %d", i).isFalse();
            assertThat(parser.parse(bytes, i, i + 1)).isEqualTo(i + 1);
        }
    }

    private String body() {
        return new String(answer.body(), 0, answer.bodyLength(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void bodyWithContentLengthIsRead_whenBytesArriveSingly() {
        parseByteByByte("HTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\nETag: \"x\"\r\n\r\nhello");
        assertThat(parser.done()).isTrue();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(body()).isEqualTo("hello");
    }

    @Test
    void chunkedBodyIsRead_whenBytesArriveSingly() {
        parseByteByByte(
                "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "5\r\nhello\r\nA;name=x\r\n, world 01\r\n0\r\nTrailer: t\r\n\r\n");
        assertThat(parser.done()).isTrue();
        assertThat(body()).isEqualTo("hello, world 01");
    }

    @Test
    void response204EndsAtHead_withContentLengthHeader() {
        parse("HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n");
        assertThat(parser.done()).isTrue();
        assertThat(answer.bodyLength()).isZero();
    }

    @Test
    void parserStopsAtEndOfResponse() {
        String first = "HTTP/1.1 204 No Content\r\n\r\n";
        assertThat(parse(first + "HTTP/1.1 200 OK\r\n")).isEqualTo(first.length());
    }

    @Test
    void parserSkipsInterim100Response() {
        parse("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
        assertThat(parser.done()).isTrue();
        assertThat(answer.status()).isEqualTo(201);
    }

    @Test
    void parserKeepsContinuationTokens_untilReset() {
        parse(
                "HTTP/1.1 200 OK\r\nX-Ms-Continuation-NextPartitionKey: 1!4!MQ--\r\n"
                        + "x-ms-continuation-nextrowkey:  1!4!Mg--\r\nContent-Length: 0\r\n\r\n");
        assertThat(answer.nextPartitionKey()).isEqualTo("1!4!MQ--");
        assertThat(answer.nextRowKey()).isEqualTo("1!4!Mg--");

        parser.reset();
        parse("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        assertThat(answer.nextPartitionKey()).isEmpty();
        assertThat(answer.nextRowKey()).isEmpty();
    }

    @Test
    void parserReportsClosing_whenServerSendsConnectionClose() {
        parse("HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        assertThat(parser.closing()).isTrue();
    }

    @Test
    void parserRejectsInput_whenNotHttpResponse() {
        assertThatThrownBy(() -> parse("SSH-2.0-OpenSSH_9.2\r\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("answer: SSH-2.0-OpenSSH_9.2");
    }

    @Test
    void answerCountsOccurrencesOfTextInBody() {
        parse("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\naaabaaaab");
        assertThat(answer.count("aa")).isEqualTo(3);
        assertThat(answer.count("ab")).isEqualTo(2);
        assertThat(answer.count("c")).isZero();
    }
}
