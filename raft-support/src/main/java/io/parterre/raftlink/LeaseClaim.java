package io.parterre.raftlink;

import java.time.Duration;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.apache.ratis.thirdparty.com.google.protobuf.UnknownFieldSet.Field;

/**
 * The time for which a leader asks a follower to elect nobody else, stated in each append. Members
 * therefore need not have the same setting, and releases may mix. A leader that states no time runs
 * a release without this field. Stateless; safe for any thread.
 */
final class LeaseClaim {
    /** Far beyond the field numbers that Ratis uses. Older releases ignore the field. */
    private static final int FIELD_NUMBER = 10_403;

    private LeaseClaim() {}

    /** Returns a field that states the time. */
    static UnknownFieldSet field(Duration time) {
        return UnknownFieldSet.newBuilder()
                .addField(FIELD_NUMBER, Field.newBuilder().addVarint(time.toMillis()).build())
                .build();
    }

    /** Returns the append with that field. */
    static AppendEntriesRequestProto stated(
            AppendEntriesRequestProto append, UnknownFieldSet field) {
        return append.toBuilder().setUnknownFields(field).build();
    }

    /** Returns the time that the append's leader states; empty: none. */
    static Optional<Duration> of(AppendEntriesRequestProto append) {
        UnknownFieldSet fields = append.getUnknownFields();
        return fields.hasField(FIELD_NUMBER)
                ? fields.getField(FIELD_NUMBER).getVarintList().stream()
                        .findFirst()
                        .map(Duration::ofMillis)
                : Optional.empty();
    }
}
