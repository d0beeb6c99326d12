package io.parterre.range;

import java.util.regex.Pattern;

/** Lasting id of a node; it survives restarts and changes of address. */
public record NodeId(String value) implements Comparable<NodeId> {
    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    public NodeId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("nodeId: '" + value + "' (expected: " + FORM + ")");
        }
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
