package io.parterre.range;

import io.parterre.check.Require;

/** Epoch of a range: grows by one with every change of its bounds or members. */
public record Generation(long value) implements Comparable<Generation> {
    public static final Generation FIRST = new Generation(1);

    public Generation {
        Require.positive("generation", value);
    }

    public Generation next() {
        return new Generation(value + 1);
    }

    @Override
    public int compareTo(Generation other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
