package io.parterre.manager.map;

import io.parterre.release.Feature;
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

    /** In words as long as not all managers read codes, though it comes from no log entry. */
    Steering with(JournalEntry entry) {
        boolean coded = level.has(Feature.JOURNAL_REASONS);
        return new Steering(policy, journal.plus(coded ? entry : entry.inWords()), level);
    }

    Steering with(FeatureLevel other) {
        return new Steering(policy, journal, other);
    }
}
