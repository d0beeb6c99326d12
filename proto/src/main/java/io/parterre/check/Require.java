package io.parterre.check;

import java.time.Duration;

/**
 * Refuses values out of their bounds by an {@link IllegalArgumentException} with the value's name,
 * what was found and what is expected. Stateless; safe for any thread.
 */
public final class Require {
    private Require() {}

    public static void positive(String name, long value) {
        if (value <= 0) {
            throw refusal(name, value, "positive");
        }
    }

    public static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw refusal(name, value, "positive");
        }
    }

    public static void notNegative(String name, long value) {
        if (value < 0) {
            throw refusal(name, value, "not negative");
        }
    }

    public static void notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw refusal(name, value, "not negative");
        }
    }

    private static IllegalArgumentException refusal(String name, Object value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
}
