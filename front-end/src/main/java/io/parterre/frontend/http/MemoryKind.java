package io.parterre.frontend.http;

import java.util.Locale;

/** Kinds of memory that clients make the server hold. */
public enum MemoryKind {
    /** Request lines and headers that are still arriving, are large, or wait for their body. */
    HEADERS,
    /** Bodies, from their first byte to the end of the call. */
    BODIES,
    /** Answers, from their completion until the client has taken them. */
    ANSWERS;

    /** Returns the label for metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
