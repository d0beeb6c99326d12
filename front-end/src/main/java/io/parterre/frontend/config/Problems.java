package io.parterre.frontend.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a configuration, setting by setting. Not thread-safe. */
public final class Problems {
    private final List<String> found = new ArrayList<>();

    /** Adds a problem if a number is outside its bounds, both inclusive. */
    public Problems range(String name, long value, long min, long max) {
        return check(min <= value && value <= max, name, value, min + ".." + max);
    }

    /** Adds a problem if a time is not above zero, or is above {@code max}. */
    public Problems time(String name, Duration value, Duration max) {
        boolean positive = !value.isNegative() && !value.isZero();
        return check(
                positive && value.compareTo(max) <= 0,
                name,
                value,
                "above 0, at most " + max.toHours() + "h");
    }

    /** Adds a problem if {@code holds} is false. */
    public Problems check(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            found.add(name + ": " + value + " (expected: " + expected + ")");
        }
        return this;
    }

    /**
     * Refuses the configuration if anything is wrong with it.
     *
     * @throws IllegalArgumentException with all problems
     */
    public void refuseIfAny() {
        if (!found.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", found));
        }
    }
}
