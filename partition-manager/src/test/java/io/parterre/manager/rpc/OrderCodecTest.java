package io.parterre.manager.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.KeyRange;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.view.Maps;
import io.parterre.proto.manager.RecoverRange;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderCodecTest {
    @Test
    void recoveryOrderNamesLostRange_andWhatTakesItsPlace() {
        RangeDescriptor next =
                new RangeDescriptor(
                        new RangeId(2), KeyRange.ALL, new Generation(5), List.of(Maps.id(3)));
        var survivor = Maps.node(Maps.id(3), "z");
        RecoverRange message =
                OrderCodec.toProto(new Order.RecoverRange(new RangeId(1), next, List.of(survivor)))
                        .getRecoverRange();
        assertThat(message.getLostRangeId()).isEqualTo(1);
        assertThat(DescriptorCodec.fromProto(message.getRange())).isEqualTo(next);
        assertThat(message.getMembersList()).containsExactly(MapValueCodec.toProto(survivor));
    }
}
