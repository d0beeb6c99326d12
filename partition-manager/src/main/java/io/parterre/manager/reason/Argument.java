package io.parterre.manager.reason;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;

/** What a reason is about. Its class tells what it is without a sentence. Immutable. */
public sealed interface Argument {
    /** As a sentence is given it: formatted by the place that the sentence has for it. */
    Object value();

    record Range(RangeId value) implements Argument {}

    record Node(NodeId value) implements Argument {}

    /** A number of things, or of seconds. */
    record Count(Long value) implements Argument {}

    /** What is counted in parts: operations a second, cores. */
    record Rate(Double value) implements Argument {}

    record Bytes(ByteCount value) implements Argument {}

    /** A name, a key, a setting as it is written, or what another process said. */
    record Text(String value) implements Argument {}

    /** What leads to the reason. */
    record Cause(Reason value) implements Argument {}

    /** The argument for a value; text if its class is none of those above. */
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
