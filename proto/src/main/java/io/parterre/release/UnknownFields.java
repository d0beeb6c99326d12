package io.parterre.release;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;

/**
 * Refuses messages with fields that this release does not know. Such a field may change the effect
 * of a command: nodes that skip it would have other rows than nodes that know it. Stateless.
 */
public final class UnknownFields {
    private UnknownFields() {}

    /**
     * Checks a message and all messages within it.
     *
     * @param what kind of the message, for people
     * @throws NewerReleaseException if there is an unknown field
     */
    public static void refuse(String what, Message message) {
        refuseOwn(what, message);
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            if (field.getKey().getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                refuseIn(what, field.getValue());
            }
        }
    }

    private static void refuseIn(String what, Object value) {
        if (value instanceof Message inner) {
            refuse(what, inner);
        } else if (value instanceof List<?> several) {
            several.forEach(each -> refuse(what, (Message) each));
        }
    }

    /**
     * Checks the message itself only, at negligible cost.
     *
     * @throws NewerReleaseException if there is an unknown field
     */
    public static void refuseOwn(String what, Message message) {
        Map<Integer, ?> unknown = message.getUnknownFields().asMap();
        if (!unknown.isEmpty()) {
            throw new NewerReleaseException(
                    what
                            + ": "
                            + message.getDescriptorForType().getName()
                            + " with field "
                            + unknown.keySet().iterator().next()
                            + ", which a newer release wrote (expected: fields that this one"
                            + " knows)");
        }
    }
}
