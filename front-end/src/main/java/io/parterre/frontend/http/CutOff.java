package io.parterre.frontend.http;

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
        return switch (this) {
            case IDLE -> "idle";
            case HEADER_TOO_SLOW -> "header_too_slow";
            case ANSWER_STALLED -> "answer_stalled";
            case ANSWER_TOO_SLOW -> "answer_too_slow";
            case FULL -> "full";
            case ADDRESS_FULL -> "address_full";
            case MADE_ROOM -> "made_room";
        };
    }
}
