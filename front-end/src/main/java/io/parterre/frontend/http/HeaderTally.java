package io.parterre.frontend.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/**
 * Makes the headers that a connection's requests are decoded into, and counts what goes in: lines,
 * of which there is a greatest number, and what they occupy. A header of two bytes costs a hundred
 * as objects, so a limit of bytes alone does not bound them. Owned by one event loop.
 */
final class HeaderTally implements HttpHeadersFactory {
    /** Of one header besides its text: the entry, its name and its value, as objects. */
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
     * @param keptBytes of it, that are kept as an object of their own
     */
    void countRequestLine(int lineBytes, int keptBytes) {
        bytes += keptBytes;
        longestLineBytes = Math.max(longestLineBytes, lineBytes);
    }

    /** What the head or trailer occupies that is being decoded; 0: none is. */
    long bytes() {
        return bytes;
    }

    /** Of all that there were on the connection, without what separates its parts. */
    int longestLineBytes() {
        return longestLineBytes;
    }

    /** Forgets a head or trailer that is complete: its request is charged for it. */
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

    /** Netty's decoder adds line by line, by these two. */
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
