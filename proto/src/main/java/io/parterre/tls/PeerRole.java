package io.parterre.tls;

import java.util.Arrays;
import java.util.Optional;

/** What a peer may be by its certificate. */
public enum PeerRole {
    MANAGER("manager"),
    SERVER("server"),
    FRONT_END("front-end"),
    /** Reads. */
    VIEWER("viewer"),
    /** Reads, and steers a cluster that stays whole. */
    OPERATOR("operator"),
    /** All of that; accounts, the group of the managers, and what cannot be undone. */
    ADMIN("admin");

    private final String word;

    PeerRole(String word) {
        this.word = word;
    }

    /** As it stands in certificates. */
    public String word() {
        return word;
    }

    static Optional<PeerRole> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word.equals(word)).findFirst();
    }

    @Override
    public String toString() {
        return word;
    }
}
