package io.parterre.frontend.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/**
 * Creates the headers into which a connection's requests are decoded, and counts what is added: the
 * lines, whose number is bounded, and the memory that they occupy. A header of two bytes occupies a
 * hundred bytes as objects, so a limit of bytes alone does not bound the memory. Owned by one event
 * loop.
 */
final class HeaderTally implements HttpHeadersFactory {
    /** Bytes of one header besides its text: the entry, its name and its value, as objects. */
    private static final int BYTES_OF_ENTRY = 128;

    private final int linesMax;
    private int lines;
    private long bytes;
    private int longestLineBytes;

    HeaderTally(int linesMax) {
        this.linesMax = linesMax;
    }

    @Override
    public HttpHeaders newHeaders() {
        clear();
        return new Counted();
    }

    @Override
    public HttpHeaders newEmptyHeaders() {
        return newHeaders();
    }

    /**
     * Counts the request line.
     *
     * @param keptBytes bytes of the line that are kept as an object of their own
     */
    void countRequestLine(int lineBytes, int keptBytes) {
        bytes += keptBytes;
        longestLineBytes = Math.max(longestLineBytes, lineBytes);
    }

    /**
     * Returns the bytes that the head or trailer being decoded occupies; 0 if none is being
     * decoded.
     */
    long bytes() {
        return bytes;
    }

    /** Returns the length of the connection's longest line, without the separators of its parts. */
    int longestLineBytes() {
        return longestLineBytes;
    }

    /** Forgets a complete head or trailer, for which its request is charged. */
    void clear() {
        lines = 0;
        bytes = 0;
    }

    private void countLine(CharSequence name, Object value) {
        if (++lines > linesMax) {
            throw new TooLongHttpHeaderException("more than " + linesMax + " header lines");
        }
        int textBytes = name.length() + (value instanceof CharSequence text ? text.length() : 0);
        bytes += BYTES_OF_ENTRY + textBytes;
        longestLineBytes = Math.max(longestLineBytes, textBytes);
    }

    /** Counts header lines: Netty's decoder adds each line by one of these two methods. */
    private final class Counted extends DefaultHttpHeaders {
        @Override
        public HttpHeaders add(String name, Object value) {
            countLine(name, value);
            return super.add(name, value);
        }

        @Override
        public HttpHeaders add(CharSequence name, Object value) {
            countLine(name, value);
            return super.add(name, value);
        }
    }
}
