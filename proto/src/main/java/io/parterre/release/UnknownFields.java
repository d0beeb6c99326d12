package io.parterre.release;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;

/**
 * Refuses messages with fields that this release does not know. They may change what a command
 * does: skipped, it would do one thing here and another where they are known. Stateless.
 */
public final class UnknownFields {
    private UnknownFields() {}

    /**
     * Looks into a message and all that it holds.
     *
     * @param what it is, for people
     * @throws NewerReleaseException if there is one
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
     * Looks into the message alone, at no cost to speak of.
     *
     * @throws NewerReleaseException if there is one
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
