package io.parterre.frontend.http;

import java.util.Locale;

/** Why the server closed a connection by itself, without an answer. */
public enum CutOff {
    /** The client sent no request for {@code idleTimeout}. */
    IDLE,
    /** A header was not complete {@code headerTimeout} after its first byte. */
    HEADER_TOO_SLOW,
    /** The client took its answers too slowly for {@code stalledWriteTimeout}. */
    ANSWER_STALLED,
    /** The client takes its answers too slowly while memory is short. */
    ANSWER_TOO_SLOW,
    /** All connections are taken, and the newest one was closed. */
    FULL,
    /** The connection's address has as many connections as an address may have. */
    ADDRESS_FULL,
    /** All connections are taken, and this one made room for one of another address. */
    MADE_ROOM;

    /** Returns the label for metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
