package io.parterre.entity;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/** A property's value with its type. Immutable. There is no null: a null property is absent. */
public sealed interface EdmValue {
    EdmType type();

    <R> R match(Cases<R> cases);

    /** One method per type. */
    interface Cases<R> {
        R string(String value);

        R bool(boolean value);

        R int32(int value);

        R int64(long value);

        R float64(double value);

        R dateTime(long ticks);

        R guid(UUID value);

        R binary(byte[] value);
    }

    record StringValue(String value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.STRING;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.string(value);
        }
    }

    record BooleanValue(boolean value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.BOOLEAN;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.bool(value);
        }
    }

    record Int32Value(int value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.INT32;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.int32(value);
        }
    }

    record Int64Value(long value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.INT64;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.int64(value);
        }
    }

    /**
     * Equality is by bits, so that NaN equals itself and -0.0 differs from 0.0: storage, not
     * filters.
     */
    record DoubleValue(double value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.DOUBLE;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.float64(value);
        }
    }

    /**
     * @param ticks 100 ns units since 1970-01-01T00:00:00Z, see {@link Ticks}
     */
    record DateTimeValue(long ticks) implements EdmValue {
        public DateTimeValue {
            if (ticks < Ticks.MIN || ticks > Ticks.MAX) {
                throw new IllegalArgumentException(
                        "ticks: " + ticks + " (expected: years 1601 to 9999)");
            }
        }

        @Override
        public EdmType type() {
            return EdmType.DATE_TIME;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.dateTime(ticks);
        }
    }

    record GuidValue(UUID value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.GUID;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.guid(value);
        }
    }

    /** The array is taken over without a copy: nobody may change it afterwards. */
    @SuppressWarnings("ArrayRecordComponent") // Value semantics are written out below.
    record BinaryValue(byte[] value) implements EdmValue {
        @Override
        public EdmType type() {
            return EdmType.BINARY;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.binary(value);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof BinaryValue binary && Arrays.equals(value, binary.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return "BinaryValue[" + HexFormat.of().formatHex(value) + "]";
        }
    }
}
