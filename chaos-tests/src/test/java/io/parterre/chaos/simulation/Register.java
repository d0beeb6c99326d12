package io.parterre.chaos.simulation;

import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.key.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One entity that one client writes, one value after the other: what it may be found to hold. A
 * value is never written twice, and 0 stands for none.
 */
final class Register {
    static final long ABSENT = 0;
    private static final String NAME = "V";

    final Key key;
    final int partition;

    /** Acknowledged last. */
    private long certain = ABSENT;

    private OptionalLong etagTicks = OptionalLong.empty();

    /** Sent, and not answered. */
    private Optional<Long> sent = Optional.empty();

    /** Sent before, and never answered. */
    private final List<Long> doubtful = new ArrayList<>();

    private long givenUpNumber;
    private long values;

    Register(Key key, int partition) {
        this.key = key;
        this.partition = partition;
    }

    long certain() {
        return certain;
    }

    boolean isDoubtful() {
        return !doubtful.isEmpty();
    }

    /** Sequence of the write that was given up last. */
    long givenUpNumber() {
        return givenUpNumber;
    }

    OptionalLong etagTicks() {
        return etagTicks;
    }

    long nextValue() {
        return ++values;
    }

    void sends(long value) {
        sent = Optional.of(value);
    }

    void acknowledged(long ticks) {
        certain = sent.orElseThrow();
        etagTicks = certain == ABSENT ? OptionalLong.empty() : OptionalLong.of(ticks);
        sent = Optional.empty();
        doubtful.clear();
    }

    /**
     * It is not known whether the write took effect, or may yet.
     *
     * @param number its sequence
     */
    void givenUp(long number) {
        givenUpNumber = number;
        doubtful.add(sent.orElseThrow());
        sent = Optional.empty();
    }

    /** Whether a read at this moment may find it. */
    boolean mayHold(long value) {
        return value == certain
                || sent.filter(each -> each == value).isPresent()
                || doubtful.contains(value);
    }

    boolean isAtRest() {
        return sent.isEmpty() && doubtful.isEmpty();
    }

    static byte[] block(long value) {
        return EntityCodec.encodeBlock(List.of(new Property(NAME, new EdmValue.Int64Value(value))));
    }

    static long value(Optional<byte[]> row) {
        if (row.isEmpty()) {
            return ABSENT;
        }
        Property property = EntityCodec.decodeBlock(EntityCodec.blockOf(row.get())).get(0);
        return ((EdmValue.Int64Value) property.value()).value();
    }

    @Override
    public String toString() {
        return key + ": " + certain + ", sent " + sent + ", in doubt " + doubtful;
    }
}
