package io.parterre.frontend.http;

import java.util.Locale;

/** Why the server ended a connection by itself, without an answer. */
public enum CutOff {
    /** The client sent no request for {@code idleTimeout}. */
    IDLE,
    /** A header was not complete {@code headerTimeout} after its first byte. */
    HEADER_TOO_SLOW,
    /** The client took its answers too slowly for {@code stalledWriteTimeout}. */
    ANSWER_STALLED,
    /** The client takes its answers too slowly while memory is short. */
    ANSWER_TOO_SLOW,
    /** All connections are taken, and the one that came last had to go. */
    FULL,
    /** Its address has as many connections as one may have. */
    ADDRESS_FULL,
    /** All connections are taken, and it made room for one of another address. */
    MADE_ROOM;

    /** As a label of metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
