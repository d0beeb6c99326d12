package io.parterre.manager.map;

import io.parterre.proto.manager.log.PolicyValue;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.pcollections.TreePMap;

/** Values of the policy as messages. Stateless; safe for any thread. */
final class PolicyCodec {
    private PolicyCodec() {}

    /** By key, so that the same values have the same bytes. */
    static List<PolicyValue> toProto(SortedMap<String, String> values) {
        return values.entrySet().stream().map(PolicyCodec::toProto).toList();
    }

    private static PolicyValue toProto(Map.Entry<String, String> value) {
        return PolicyValue.newBuilder().setKey(value.getKey()).setValue(value.getValue()).build();
    }

    static TreePMap<String, String> fromProto(List<PolicyValue> messages) {
        TreePMap<String, String> values = TreePMap.empty();
        for (PolicyValue message : messages) {
            values = values.plus(message.getKey(), message.getValue());
        }
        return values;
    }
}
