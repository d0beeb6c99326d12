package io.parterre.filter;

import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Converts filters between roles: a version byte, then the tree in postfix order, so that reading
 * needs a stack of values but no recursion. Stateless; safe for any thread.
 */
public final class FilterCodec {
    private static final byte VERSION = 1;
    private static final byte AND = 1;
    private static final byte OR = 2;
    private static final byte NOT = 3;
    private static final byte COMPARISON = 4;
    private static final byte TRUTH = 5;
    private static final byte CONSTANT = 6;

    private FilterCodec() {}

    public static byte[] encode(Filter filter) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(VERSION);
        filter.match(new Writer(new DataOutputStream(bytes)));
        return bytes.toByteArray();
    }

    /**
     * Reads a filter.
     *
     * @throws IllegalArgumentException if the bytes are no filter of a known version
     */
    public static Filter decode(byte[] bytes) {
        Deque<Filter> stack = new ArrayDeque<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            byte version = in.readByte();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "filter: version " + version + " (expected: " + VERSION + ")");
            }
            while (in.available() > 0) {
                stack.push(readNode(in, stack));
            }
        } catch (IOException endsEarly) {
            throw new IllegalArgumentException("filter: ends early", endsEarly);
        }
        if (stack.size() != 1) {
            throw new IllegalArgumentException("filter: " + stack.size() + " trees (expected: 1)");
        }
        return stack.pop();
    }

    private static Filter readNode(DataInputStream in, Deque<Filter> stack) throws IOException {
        byte tag = in.readByte();
        return switch (tag) {
            case AND -> new Filter.And(popTerms(in.readInt(), stack));
            case OR -> new Filter.Or(popTerms(in.readInt(), stack));
            case NOT -> new Filter.Not(popTerms(1, stack).get(0));
            case COMPARISON -> {
                Operator operator = Operator.ofTag(in.readByte());
                byte[] block = readBlock(in);
                List<Property> operands = EntityCodec.decodeBlock(block);
                if (operands.size() != 1) {
                    throw new IllegalArgumentException("filter: comparison without literal");
                }
                Property operand = operands.get(0);
                yield new Filter.Comparison(operand.name(), operator, operand.value());
            }
            case TRUTH -> new Filter.BooleanProperty(in.readUTF());
            case CONSTANT -> new Filter.Constant(in.readBoolean());
            default -> throw new IllegalArgumentException("filter: unknown node " + tag);
        };
    }

    private static byte[] readBlock(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IllegalArgumentException(
                    "filter: literal of "
                            + length
                            + " bytes (expected: <= "
                            + in.available()
                            + ")");
        }
        return in.readNBytes(length);
    }

    private static List<Filter> popTerms(int count, Deque<Filter> stack) {
        if (count < 0 || count > stack.size()) {
            throw new IllegalArgumentException("filter: " + count + " terms of " + stack.size());
        }
        List<Filter> terms = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            terms.add(stack.pop());
        }
        Collections.reverse(terms);
        return terms;
    }

    /** Writes terms before the node that joins them. */
    private record Writer(DataOutputStream out) implements Filter.Cases<Void> {
        @Override
        public Void and(Filter.And and) {
            return join(AND, and.terms());
        }

        @Override
        public Void or(Filter.Or or) {
            return join(OR, or.terms());
        }

        private Void join(byte tag, List<Filter> terms) {
            terms.forEach(term -> term.match(this));
            return write(
                    () -> {
                        out.writeByte(tag);
                        out.writeInt(terms.size());
                    });
        }

        @Override
        public Void not(Filter.Not not) {
            not.term().match(this);
            return write(() -> out.writeByte(NOT));
        }

        @Override
        public Void comparison(Filter.Comparison comparison) {
            EdmValue literal = comparison.literal();
            byte[] block =
                    EntityCodec.encodeBlock(List.of(new Property(comparison.property(), literal)));
            return write(
                    () -> {
                        out.writeByte(COMPARISON);
                        out.writeByte(comparison.operator().tag());
                        out.writeInt(block.length);
                        out.write(block);
                    });
        }

        @Override
        public Void truth(Filter.BooleanProperty property) {
            return write(
                    () -> {
                        out.writeByte(TRUTH);
                        out.writeUTF(property.property());
                    });
        }

        @Override
        public Void constant(Filter.Constant constant) {
            return write(
                    () -> {
                        out.writeByte(CONSTANT);
                        out.writeBoolean(constant.value());
                    });
        }

        private static Void write(Writing writing) {
            try {
                writing.run();
            } catch (IOException impossibleInMemory) {
                throw new UncheckedIOException(impossibleInMemory);
            }
            return null;
        }
    }

    private interface Writing {
        void run() throws IOException;
    }
}
