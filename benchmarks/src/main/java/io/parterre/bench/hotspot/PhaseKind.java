package io.parterre.bench.hotspot;

/** Kinds of phases, in the order of the run. */
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
