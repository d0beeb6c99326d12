package io.parterre.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RequestDecoderTest implements RequestDecoder.Gate {
    private static final String GET = "GET / HTTP/1.1\r\n\r\n";

    private boolean shut;
    private int pauses;
    private boolean inputEnded;
    private final RequestDecoder decoder = new RequestDecoder(ServerFixture.SMALL, this);
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

    @Override
    public boolean isShut() {
        return shut;
    }

    @Override
    public void pause(boolean ended) {
        pauses++;
        inputEnded |= ended;
        channel.config().setAutoRead(false);
    }

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    private List<HttpObject> read(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        return decoded();
    }

    private List<HttpObject> decoded() {
        List<HttpObject> all = new ArrayList<>();
        for (HttpObject each = channel.readInbound(); each != null; each = channel.readInbound()) {
            ReferenceCountUtil.release(each);
            all.add(each);
        }
        return all;
    }

    @Test
    void nothingIsHeld_afterRequestThatCameWhole() {
        assertThat(read(GET)).hasSize(2);
        assertThat(decoder.completed()).isPositive();
        assertThat(decoder.heldBytes()).isZero();
    }

    @Test
    void headerHoldsMoreThanItsBytes_whileItHasNoEnd() {
        assertThat(read("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(200))).isEmpty();
        assertThat(decoder.heldBytes()).isGreaterThan(200 * 100);
        assertThat(read("\r\n")).hasSize(2);
        assertThat(decoder.completed()).isGreaterThan(200 * 100);
        assertThat(decoder.heldBytes()).isZero();
    }

    @Test
    void halfLineHoldsWholeBuffer_whileItHasNoEnd() {
        assertThat(read("GET / HT")).isEmpty();
        assertThat(decoder.heldBytes()).isGreaterThanOrEqualTo(8);
        decoder.discard();
        assertThat(decoder.heldBytes()).isZero();
    }

    @Test
    void longLineStaysCharged_afterItsRequest() {
        assertThat(read("GET / HTTP/1.1\r\na: " + "b".repeat(20_000) + "\r\n\r\n")).hasSize(2);
        decoder.completed();
        assertThat(decoder.isPending()).isFalse();
        assertThat(decoder.heldBytes()).isEqualTo(32_768);
        read(GET);
        decoder.completed();
        assertThat(decoder.heldBytes()).isEqualTo(32_768);
    }

    @Test
    void headerFails_whenItHasTooManyLines() {
        HttpObject first = read("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(15_000)).get(0);
        assertThat(first).isInstanceOf(HttpRequest.class);
        assertThat(first.decoderResult().cause()).isInstanceOf(TooLongHttpHeaderException.class);
    }

    @Test
    void trailerFails_whenItHasTooManyLines() {
        List<HttpObject> all =
                read(
                        "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
                                + "a:\r\n".repeat(258));
        HttpObject last = all.get(all.size() - 1);
        assertThat(last).isInstanceOf(LastHttpContent.class);
        assertThat(last.decoderResult().cause()).isInstanceOf(TooLongHttpHeaderException.class);
    }

    @Test
    void requestsStayBytes_whileGateIsShut() {
        shut = true;
        assertThat(read(GET + GET)).isEmpty();
        assertThat(decoder.requestWaits()).isTrue();
        assertThat(pauses).isEqualTo(1);
        assertThat(decoder.heldBytes()).isPositive();
        assertThat(decoder.resume()).as("still shut").isTrue();
        assertThat(decoder.requestWaits()).isTrue();

        shut = false;
        assertThat(decoder.resume()).isTrue();
        assertThat(decoded()).hasSize(4);
        assertThat(decoder.resume()).isFalse();
    }

    @Test
    void endOfInputComesLast_whenRequestsWaitedBeforeIt() {
        shut = true;
        read("PUT / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab" + GET);
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(inputEnded).isTrue();
        assertThat(decoded()).isEmpty();
        shut = false;
        decoder.resume();
        List<HttpObject> all = decoded();
        assertThat(all.get(1)).isInstanceOf(HttpContent.class);
        assertThat(all).filteredOn(HttpRequest.class::isInstance).hasSize(2);
    }
}
