package io.parterre.bench.hotspot;

/** What is done in a part of a run, in the order of the parts. */
public enum PhaseKind {
    STEADY("even load"),
    HOT("hot spot"),
    MOVED("hot spot moves"),
    RETURNED("a server goes and returns"),
    JOINED("a new server"),
    QUIET("load ends");

    private final String words;

    PhaseKind(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
