package io.parterre.manager.map;

/** The permanent id of a cluster. Data of different clusters is never mixed. */
public record ClusterId(String value) {
    private static final int LENGTH_MAX = 64;

    public ClusterId {
        if (value.isBlank() || value.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "clusterId: '" + value + "' (expected: 1.." + LENGTH_MAX + " characters)");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
