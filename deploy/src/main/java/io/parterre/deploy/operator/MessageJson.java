package io.parterre.deploy.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.parterre.proto.manager.NodeState;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * Formats answers as JSON, for programs: every field by its name in lowerCamelCase, also if it has
 * its default; enums in lower case; bytes in Base64. Stateless.
 */
final class MessageJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private MessageJson() {}

    static String print(Message message) {
        try {
            return JSON.writeValueAsString(node(message));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree that cannot be written", e);
        }
    }

    private static ObjectNode node(Message message) {
        ObjectNode node = NODES.objectNode();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.isRepeated()) {
                ArrayNode array = node.putArray(field.getJsonName());
                ((List<?>) message.getField(field)).forEach(each -> array.add(value(each)));
            } else if (!field.hasPresence() || message.hasField(field)) {
                node.set(field.getJsonName(), value(message.getField(field)));
            }
        }
        return node;
    }

    /**
     * Returns the name of an enum value. Protobuf's name of an unset value would mean nothing to
     * programs.
     */
    private static String word(EnumValueDescriptor constant) {
        if (constant.equals(NodeState.NODE_STATE_UNSPECIFIED.getValueDescriptor())) {
            return "in_use";
        }
        return constant.getName().endsWith("_UNSPECIFIED")
                ? "unknown"
                : constant.getName().toLowerCase(Locale.ROOT);
    }

    private static JsonNode value(Object value) {
        if (value instanceof Message message) {
            return node(message);
        }
        if (value instanceof ByteString bytes) {
            return NODES.textNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
        }
        if (value instanceof EnumValueDescriptor constant) {
            return NODES.textNode(word(constant));
        }
        if (value instanceof Integer number) {
            return NODES.numberNode(number);
        }
        if (value instanceof Long number) {
            return NODES.numberNode(number);
        }
        if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        }
        return NODES.textNode(value.toString());
    }
}
