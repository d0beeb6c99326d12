package io.parterre.deploy.config;

import java.time.Duration;

/** Durations in the form of settings, such as 250ms, 5s, 2m or 1h. Stateless; thread-safe. */
public final class DurationText {
    private DurationText() {}

    /**
     * Parses a duration.
     *
     * @throws IllegalArgumentException if the text is no duration
     */
    public static Duration parse(String text) {
        return (Duration) ValueText.TIME.parse(text, Duration.class);
    }
}
