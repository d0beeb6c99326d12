package io.parterre.manager.map;

/** What the planners aim at, and what they decided. Watchers see nothing of it. */
record Steering(PolicyValues policy, Journal journal) {
    static final Steering NONE = new Steering(PolicyValues.NONE, Journal.EMPTY);

    Steering with(PolicyValues other) {
        return new Steering(other, journal);
    }

    Steering with(JournalEntry entry) {
        return new Steering(policy, journal.plus(entry));
    }
}
