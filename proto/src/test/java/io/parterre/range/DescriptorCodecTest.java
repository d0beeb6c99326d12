package io.parterre.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Descriptor;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DescriptorCodecTest {
    private static final RangeDescriptor DESCRIPTOR =
            new RangeDescriptor(
                    new RangeId(3),
                    new KeyRange(Key.copyOf(new byte[] {1, 2}), Key.LAST),
                    new Generation(4),
                    List.of(new NodeId("n1"), new NodeId("n2")));

    @Test
    void decodeReturnsDescriptorThatEncodeWrote() {
        assertThat(DescriptorCodec.fromProto(DescriptorCodec.toProto(DESCRIPTOR)))
                .isEqualTo(DESCRIPTOR);
    }

    @Test
    void decodeReturnsFrozenDescriptorThatEncodeWrote() {
        RangeDescriptor frozen = DESCRIPTOR.frozen(new RangeId(2), new Generation(9));
        assertThat(DescriptorCodec.fromProto(DescriptorCodec.toProto(frozen))).isEqualTo(frozen);
        assertThat(frozen.isFrozen()).isTrue();
        assertThat(DescriptorCodec.fromProto(DescriptorCodec.toProto(DESCRIPTOR)).isFrozen())
                .isFalse();
    }

    @Test
    void decodeRejectsDescriptor_whenMessageIsInvalid() {
        Descriptor good = DescriptorCodec.toProto(DESCRIPTOR);
        for (Descriptor bad :
                List.of(
                        good.toBuilder().setRangeId(0).build(),
                        good.toBuilder().setGeneration(0).build(),
                        good.toBuilder().clearMembers().build(),
                        good.toBuilder().addMembers("n1").build(),
                        good.toBuilder().addMembers("No Node").build(),
                        good.toBuilder().setFrozenAt(9).build(),
                        good.toBuilder().setFrozenFor(good.getRangeId()).setFrozenAt(9).build(),
                        good.toBuilder().setEndExclusive(good.getStart()).build())) {
            assertThatThrownBy(() -> DescriptorCodec.fromProto(bad))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void rangeIdIsDerivedFromItsRaftGroupId() {
        UUID group = DESCRIPTOR.rangeId().groupId();
        assertThat(RangeId.ofGroupId(group)).isEqualTo(DESCRIPTOR.rangeId());
        assertThatThrownBy(() -> RangeId.ofGroupId(new UUID(1, 3)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
