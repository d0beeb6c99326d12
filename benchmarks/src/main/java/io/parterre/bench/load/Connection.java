package io.parterre.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One keep-alive connection with at most one outstanding request. Confined to the loop's thread.
 */
final class Connection implements AutoCloseable {
    private static final int CONNECT_MILLIS_MAX = 2_000;

    private final int number;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Answer answer;
    private final AnswerParser parser;
    private final ByteText request = new ByteText(4096);
    private ByteBuffer unsent = ByteBuffer.allocate(0);
    private long startNanos;
    private boolean outstanding;

    private Connection(int number, SocketChannel channel, Selector selector) throws IOException {
        this.number = number;
        this.channel = channel;
        this.answer = new Answer();
        this.parser = new AnswerParser(answer);
        this.key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Connects, for at most two seconds. */
    static Connection open(int number, InetSocketAddress address, Selector selector)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().connect(address, CONNECT_MILLIS_MAX);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            return new Connection(number, channel, selector);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    int number() {
        return number;
    }

    /** Returns the text into which the next request is written. */
    ByteText request() {
        return request.clear();
    }

    /** Sends the request; what the socket does not accept is sent when it is writable. */
    void send(long nowNanos) throws IOException {
        startNanos = nowNanos;
        outstanding = true;
        parser.reset();
        unsent = ByteBuffer.wrap(request.array(), 0, request.length());
        flush();
    }

    private void flush() throws IOException {
        channel.write(unsent);
        int interest =
                unsent.hasRemaining()
                        ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                        : SelectionKey.OP_READ;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    /**
     * Sends what is unsent and reads what has arrived, through a buffer with an array.
     *
     * @return whether the answer is complete
     * @throws IOException if the connection ended or something other than one answer arrived
     */
    @SuppressWarnings("ByteBufferBackingArray") // See the comment above.
    boolean advance(ByteBuffer buffer) throws IOException {
        if (unsent.hasRemaining()) {
            flush();
        }
        buffer.clear();
        int count = channel.read(buffer);
        if (count < 0) {
            throw new IOException("closed by the server");
        }
        int taken;
        try {
            taken = parser.parse(buffer.array(), 0, count);
        } catch (IllegalArgumentException malformed) {
            throw new IOException("malformed answer: " + malformed.getMessage(), malformed);
        }
        if (taken != count || (count > 0 && !outstanding)) {
            throw new IOException("bytes that nobody asked for");
        }
        if (outstanding && parser.done()) {
            outstanding = false;
            return true;
        }
        return false;
    }

    Answer answer() {
        return answer;
    }

    long startNanos() {
        return startNanos;
    }

    boolean outstanding() {
        return outstanding;
    }

    /** Returns whether the server requires a new connection for the next request. */
    boolean spent() {
        return parser.closing();
    }

    @Override
    public void close() throws IOException {
        key.cancel();
        channel.close();
    }
}
