package io.parterre.manager.map;

import io.parterre.release.FeatureLevel;

/**
 * What the planners aim at, what they decided, and up to where they may go.
 *
 * @param level that all in the cluster can read; watchers see it, and nothing of the rest
 */
record Steering(PolicyValues policy, Journal journal, FeatureLevel level) {
    static final Steering NONE = new Steering(PolicyValues.NONE, Journal.EMPTY, FeatureLevel.FIRST);

    Steering with(PolicyValues other) {
        return new Steering(other, journal, level);
    }

    Steering with(JournalEntry entry) {
        return new Steering(policy, journal.plus(entry), level);
    }

    Steering with(FeatureLevel other) {
        return new Steering(policy, journal, other);
    }
}
