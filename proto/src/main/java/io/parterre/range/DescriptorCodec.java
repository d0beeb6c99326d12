package io.parterre.range;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Descriptor;
import java.util.Optional;

/** Converts descriptors between roles and in stores. Stateless; safe for any thread. */
public final class DescriptorCodec {
    private static final long NOT_FROZEN = 0;

    private DescriptorCodec() {}

    public static Descriptor toProto(RangeDescriptor descriptor) {
        return Descriptor.newBuilder()
                .setRangeId(descriptor.rangeId().value())
                .setStart(bytes(descriptor.bounds().start()))
                .setEndExclusive(bytes(descriptor.bounds().endExclusive()))
                .setGeneration(descriptor.generation().value())
                .addAllMembers(descriptor.members().stream().map(NodeId::value).toList())
                .setFrozenFor(descriptor.frozenFor().map(RangeId::value).orElse(NOT_FROZEN))
                .setFrozenAt(descriptor.frozenAt().map(Generation::value).orElse(NOT_FROZEN))
                .build();
    }

    /**
     * Reads a descriptor.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    public static RangeDescriptor fromProto(Descriptor message) {
        return new RangeDescriptor(
                new RangeId(message.getRangeId()),
                new KeyRange(
                        Key.wrap(message.getStart().toByteArray()),
                        Key.wrap(message.getEndExclusive().toByteArray())),
                new Generation(message.getGeneration()),
                message.getMembersList().stream().map(NodeId::new).toList(),
                message.getFrozenFor() == NOT_FROZEN
                        ? Optional.empty()
                        : Optional.of(new RangeId(message.getFrozenFor())),
                message.getFrozenAt() == NOT_FROZEN
                        ? Optional.empty()
                        : Optional.of(new Generation(message.getFrozenAt())));
    }

    private static ByteString bytes(Key key) {
        return UnsafeByteOperations.unsafeWrap(key.unsafeBytes());
    }
}
