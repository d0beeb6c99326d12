package io.parterre.deploy.config;

import java.time.Duration;

/** Durations as settings have them, as 250ms, 5s, 2m or 1h. Stateless; safe for any thread. */
public final class DurationText {
    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Duration parse(String text) {
        return (Duration) ValueText.TIME.parse(text, Duration.class);
    }
}
