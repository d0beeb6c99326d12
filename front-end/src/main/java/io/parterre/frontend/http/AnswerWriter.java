package io.parterre.frontend.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.FastThreadLocal;
import io.parterre.frontend.call.HeaderList.Header;
import io.parterre.frontend.call.HttpAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes answers by hand, in one pass into one buffer. Framing is the server's responsibility, so
 * a handler's {@code Content-Length}, {@code Transfer-Encoding} and {@code Connection} are left
 * out. Control characters in a handler's values become spaces, because an echoed value must not end
 * a header. Thread-safe.
 */
final class AnswerWriter {
    /** Name by which the service identifies itself. Source: docs/protocol.md 2.2. */
    private static final String SERVER = "Windows-Azure-Table/1.0 Microsoft-HTTPAPI/2.0";

    private static final byte[] CONTINUE =
            "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final FastThreadLocal<Head> heads =
            new FastThreadLocal<>() {
                @Override
                protected Head initialValue() {
                    return new Head();
                }
            };

    private final HttpDate date;

    AnswerWriter(HttpDate date) {
        this.date = date;
    }

    ByteBuf proceed() {
        return Unpooled.wrappedBuffer(CONTINUE);
    }

    /** Returns the whole answer. */
    ByteBuf write(ByteBufAllocator buffers, Exchange exchange) {
        HttpAnswer answer = exchange.answer();
        Head head = heads.get();
        writeHead(head, exchange, answer);
        int bodyBytes = exchange.head ? 0 : answer.body().length;
        ByteBuf whole = buffers.ioBuffer(head.size + bodyBytes);
        whole.writeBytes(head.bytes, 0, head.size);
        return bodyBytes == 0 ? whole : whole.writeBytes(answer.body());
    }

    private void writeHead(Head head, Exchange exchange, HttpAnswer answer) {
        head.size = 0;
        head.text("HTTP/1.1 ").number(answer.status()).text(" ").text(answer.reason()).end();
        boolean dated = false;
        boolean named = false;
        for (Header header : answer.headers().headers()) {
            String name = header.name();
            if (isFraming(name)) {
                continue;
            }
            dated |= name.equalsIgnoreCase("Date");
            named |= name.equalsIgnoreCase("Server");
            head.text(name).text(": ").text(header.value()).end();
        }
        if (!named) {
            head.text("Server: ").text(SERVER).end();
        }
        if (!dated) {
            head.text("Date: ").text(date.now()).end();
        }
        if (answer.status() != 304) {
            head.text("Content-Length: ").number(answer.body().length).end();
        }
        if (exchange.last) {
            head.text("Connection: close").end();
        } else if (exchange.announceKeepAlive) {
            head.text("Connection: keep-alive").end();
        }
        head.end();
    }

    private static boolean isFraming(String name) {
        return switch (name.length()) {
            case 10 -> name.equalsIgnoreCase("Connection");
            case 14 -> name.equalsIgnoreCase("Content-Length");
            case 17 -> name.equalsIgnoreCase("Transfer-Encoding");
            default -> false;
        };
    }

    /** Growing buffer of a head; one for each event loop. */
    private static final class Head {
        byte[] bytes = new byte[1_024];
        int size;

        Head text(String text) {
            int length = text.length();
            ensure(length);
            byte[] out = bytes;
            int at = size;
            for (int i = 0; i < length; i++) {
                char unit = text.charAt(i);
                if (unit < ' ' && unit != '\t' || unit == 0x7F) {
                    unit = ' ';
                } else if (unit > 0xFF) {
                    unit = '?';
                }
                out[at++] = (byte) unit;
            }
            size = at;
            return this;
        }

        Head number(int value) {
            return text(Integer.toString(value));
        }

        Head end() {
            ensure(2);
            bytes[size++] = '\r';
            bytes[size++] = '\n';
            return this;
        }

        private void ensure(int more) {
            if (bytes.length - size < more) {
                bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
            }
        }
    }
}
