package io.parterre.deploy.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.parterre.proto.admin.CreateAccountRequest;
import io.parterre.proto.node.RestoreRowsRequest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arguments of a request as one line of JSON: fields that are set, secrets hidden. Stateless.
 */
final class AuditArguments {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** Fields with keys of accounts, or with rows of their tables. */
    private static final Set<FieldDescriptor> SECRET =
            Set.of(
                    CreateAccountRequest.getDescriptor()
                            .findFieldByNumber(CreateAccountRequest.KEY_FIELD_NUMBER),
                    RestoreRowsRequest.getDescriptor()
                            .findFieldByNumber(RestoreRowsRequest.ROWS_FIELD_NUMBER));

    private AuditArguments() {}

    static String of(Object request) {
        return request instanceof Message message ? node(message).toString() : "{}";
    }

    private static ObjectNode node(Message message) {
        ObjectNode node = NODES.objectNode();
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            node.set(field.getKey().getJsonName(), value(field.getKey(), field.getValue()));
        }
        return node;
    }

    private static JsonNode value(FieldDescriptor field, Object value) {
        if (SECRET.contains(field)) {
            return NODES.textNode("***");
        }
        if (value instanceof List<?> elements) {
            ArrayNode array = NODES.arrayNode();
            elements.forEach(each -> array.add(single(each)));
            return array;
        }
        return single(value);
    }

    private static JsonNode single(Object value) {
        if (value instanceof Message message) {
            return node(message);
        }
        if (value instanceof ByteString bytes) {
            return NODES.textNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
        }
        if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        }
        if (value instanceof Integer || value instanceof Long) {
            return NODES.numberNode(((Number) value).longValue());
        }
        return NODES.textNode(
                value instanceof EnumValueDescriptor constant
                        ? constant.getName()
                        : value.toString());
    }
}
