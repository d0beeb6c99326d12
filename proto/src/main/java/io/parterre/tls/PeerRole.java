package io.parterre.tls;

import java.util.Arrays;
import java.util.Optional;

/** Role of a peer by its certificate. */
public enum PeerRole {
    MANAGER("manager"),
    SERVER("server"),
    FRONT_END("front-end"),
    /** May read. */
    VIEWER("viewer"),
    /** May read, and run operations that lose no data. */
    OPERATOR("operator"),
    /**
     * May run all operations: also on accounts and the managers' group, and those that cannot be
     * undone.
     */
    ADMIN("admin");

    private final String word;

    PeerRole(String word) {
        this.word = word;
    }

    /** The word in certificates. */
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
