package io.parterre.manager.map;

import io.parterre.proto.manager.log.PolicyValue;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.pcollections.TreePMap;

/** Converts values of the policy to messages and back. Stateless and thread-safe. */
final class PolicyCodec {
    private PolicyCodec() {}

    /** Writes the values by key, so that equal values have equal bytes. */
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
