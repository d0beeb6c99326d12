package io.parterre.manager.reason;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;

/** An argument of a reason. Its class gives its meaning without the sentence. Immutable. */
public sealed interface Argument {
    /** Returns the value for the sentence, which formats it. */
    Object value();

    record Range(RangeId value) implements Argument {}

    record Node(NodeId value) implements Argument {}

    /** A number of things or of seconds. */
    record Count(Long value) implements Argument {}

    /** A fractional number: operations a second, cores. */
    record Rate(Double value) implements Argument {}

    record Bytes(ByteCount value) implements Argument {}

    /** A name, a key, a setting as written, or a text of another process. */
    record Text(String value) implements Argument {}

    /** The cause of the reason. */
    record Cause(Reason value) implements Argument {}

    /** Returns the argument for a value; text if the value has none of the classes above. */
    static Argument of(Object value) {
        if (value instanceof RangeId range) {
            return new Range(range);
        }
        if (value instanceof NodeId node) {
            return new Node(node);
        }
        if (value instanceof Long || value instanceof Integer) {
            return new Count(((Number) value).longValue());
        }
        if (value instanceof Double rate) {
            return new Rate(rate);
        }
        if (value instanceof ByteCount bytes) {
            return new Bytes(bytes);
        }
        return value instanceof Reason reason ? new Cause(reason) : new Text(String.valueOf(value));
    }
}
