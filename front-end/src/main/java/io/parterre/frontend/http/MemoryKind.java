package io.parterre.frontend.http;

import java.util.Locale;

/** What clients make the server hold. */
public enum MemoryKind {
    /** Request lines and headers that are still arriving, or large, or wait for their body. */
    HEADERS,
    /** Bodies, from their first byte to the end of the call. */
    BODIES,
    /** Answers, from when they are there until the client has taken them. */
    ANSWERS;

    /** As a label of metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
