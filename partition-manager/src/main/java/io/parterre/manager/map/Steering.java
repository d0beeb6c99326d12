package io.parterre.manager.map;

import io.parterre.release.Feature;
import io.parterre.release.FeatureLevel;

/**
 * What the planners aim at, what they decided, and the feature level. Immutable.
 *
 * @param level that all processes of the cluster read; watchers see it, but not the other fields
 */
record Steering(PolicyValues policy, Journal journal, FeatureLevel level) {
    static final Steering NONE = new Steering(PolicyValues.NONE, Journal.EMPTY, FeatureLevel.FIRST);

    Steering with(PolicyValues other) {
        return new Steering(other, journal, level);
    }

    /**
     * Adds the entry, in words while not all managers read codes. This includes entries that are
     * made when a command is applied, not read from the log.
     */
    Steering with(JournalEntry entry) {
        boolean coded = level.has(Feature.JOURNAL_REASONS);
        return new Steering(policy, journal.plus(coded ? entry : entry.inWords()), level);
    }

    Steering with(FeatureLevel other) {
        return new Steering(policy, journal, other);
    }
}
