package io.parterre.filter;

import io.parterre.entity.EdmType;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityView;
import io.parterre.entity.PropertyCursor;
import io.parterre.entity.TextCodec;
import io.parterre.key.KeyText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * A filter made ready to test many stored entities: one pass over an entity's properties finds the
 * ones that the filter names, then the tree is evaluated on the stored bytes. Not thread-safe: one
 * per scan.
 *
 * <p>Rules: an absent property makes every comparison false, also {@code ne}; Int64 and Double
 * properties compare numerically with smaller integer literals, other types only with their own;
 * between types {@code ne} is true and everything else false. NaN equals nothing. Source: Table
 * service protocol reference, section 5.4.
 */
public final class EntityPredicate {
    private static final int ABSENT = -1;

    private final List<byte[]> names = new ArrayList<>();
    private final int[] positions;
    private final PropertyCursor cursor = new PropertyCursor(new byte[0], 0, 0);
    private final Node root;
    private EntityView view;

    public EntityPredicate(Filter filter) {
        this.root = filter.match(new Compiler());
        this.positions = new int[names.size()];
    }

    public boolean test(EntityView entity) {
        view = entity;
        if (!names.isEmpty()) {
            locate();
        }
        return root.test();
    }

    private void locate() {
        Arrays.fill(positions, ABSENT);
        int missing = positions.length;
        view.properties(cursor);
        while (missing > 0 && cursor.next()) {
            for (int slot = 0; slot < positions.length; slot++) {
                if (cursor.nameIs(names.get(slot))) {
                    positions[slot] = cursor.position();
                    missing--;
                    break;
                }
            }
        }
    }

    private boolean present(int slot) {
        if (positions[slot] == ABSENT) {
            return false;
        }
        cursor.seek(positions[slot]);
        return true;
    }

    private interface Node {
        boolean test();
    }

    /** Turns the tree into nodes; each node reads the entity last shown. */
    private final class Compiler implements Filter.Cases<Node> {
        @Override
        public Node and(Filter.And and) {
            Node[] terms = terms(and.terms());
            return () -> {
                for (Node term : terms) {
                    if (!term.test()) {
                        return false;
                    }
                }
                return true;
            };
        }

        @Override
        public Node or(Filter.Or or) {
            Node[] terms = terms(or.terms());
            return () -> {
                for (Node term : terms) {
                    if (term.test()) {
                        return true;
                    }
                }
                return false;
            };
        }

        private Node[] terms(List<Filter> terms) {
            return terms.stream().map(term -> term.match(this)).toArray(Node[]::new);
        }

        @Override
        public Node not(Filter.Not not) {
            Node term = not.term().match(this);
            return () -> !term.test();
        }

        @Override
        public Node truth(Filter.BooleanProperty property) {
            if (isSystem(property.property())) {
                return () -> false;
            }
            int slot = slotOf(property.property());
            return () -> present(slot) && cursor.type() == EdmType.BOOLEAN && cursor.booleanValue();
        }

        @Override
        public Node constant(Filter.Constant constant) {
            boolean value = constant.value();
            return () -> value;
        }

        @Override
        public Node comparison(Filter.Comparison comparison) {
            Operator operator = comparison.operator();
            EdmValue literal = comparison.literal();
            return switch (comparison.property()) {
                case "PartitionKey" -> {
                    byte[] text = keyText(literal);
                    yield text == null
                            ? mismatch(operator)
                            : () -> operator.holds(view.comparePartitionKey(text));
                }
                case "RowKey" -> {
                    byte[] text = keyText(literal);
                    yield text == null
                            ? mismatch(operator)
                            : () -> operator.holds(view.compareRowKey(text));
                }
                case "Timestamp" ->
                        literal instanceof EdmValue.DateTimeValue time
                                ? () ->
                                        operator.holds(
                                                Long.compare(view.timestampTicks(), time.ticks()))
                                : mismatch(operator);
                default -> {
                    int slot = slotOf(comparison.property());
                    Node compared = literal.match(new Comparer(operator));
                    yield () -> present(slot) && compared.test();
                }
            };
        }

        private boolean isSystem(String name) {
            return name.equals("PartitionKey") || name.equals("RowKey") || name.equals("Timestamp");
        }

        private byte[] keyText(EdmValue literal) {
            return literal instanceof EdmValue.StringValue text
                    ? KeyText.encode(text.value())
                    : null;
        }

        private Node mismatch(Operator operator) {
            boolean result = operator == Operator.NE;
            return () -> result;
        }

        private int slotOf(String name) {
            byte[] nameUtf8 = TextCodec.encode(name);
            for (int slot = 0; slot < names.size(); slot++) {
                if (Arrays.equals(names.get(slot), nameUtf8)) {
                    return slot;
                }
            }
            names.add(nameUtf8);
            return names.size() - 1;
        }
    }

    /** Compares the property that the cursor stands on with a literal. */
    private final class Comparer implements EdmValue.Cases<Node> {
        private final Operator operator;
        private final boolean onMismatch;

        Comparer(Operator operator) {
            this.operator = operator;
            this.onMismatch = operator == Operator.NE;
        }

        @Override
        public Node string(String value) {
            byte[] utf8 = TextCodec.encode(value);
            return () ->
                    cursor.type() == EdmType.STRING
                            ? operator.holds(cursor.compareString(value, utf8))
                            : onMismatch;
        }

        @Override
        public Node bool(boolean value) {
            return () ->
                    cursor.type() == EdmType.BOOLEAN
                            ? operator.holds(Boolean.compare(cursor.booleanValue(), value))
                            : onMismatch;
        }

        @Override
        public Node int32(int value) {
            return () ->
                    switch (cursor.type()) {
                        case INT32 -> operator.holds(Integer.compare(cursor.intValue(), value));
                        case INT64 -> operator.holds(Long.compare(cursor.longValue(), value));
                        case DOUBLE -> holdsForDouble((double) value);
                        default -> onMismatch;
                    };
        }

        @Override
        public Node int64(long value) {
            return () ->
                    switch (cursor.type()) {
                        case INT64 -> operator.holds(Long.compare(cursor.longValue(), value));
                        case DOUBLE -> holdsForDouble((double) value);
                        default -> onMismatch;
                    };
        }

        @Override
        public Node float64(double value) {
            return () -> cursor.type() == EdmType.DOUBLE ? holdsForDouble(value) : onMismatch;
        }

        private boolean holdsForDouble(double literal) {
            double stored = Double.longBitsToDouble(cursor.longValue());
            if (Double.isNaN(stored) || Double.isNaN(literal)) {
                return onMismatch;
            }
            // Not Double.compare: it puts -0.0 below 0.0.
            return operator.holds(stored < literal ? -1 : stored > literal ? 1 : 0);
        }

        @Override
        public Node dateTime(long ticks) {
            return () ->
                    cursor.type() == EdmType.DATE_TIME
                            ? operator.holds(Long.compare(cursor.longValue(), ticks))
                            : onMismatch;
        }

        @Override
        public Node guid(UUID value) {
            return () ->
                    cursor.type() == EdmType.GUID
                            ? operator.holds(cursor.compareGuid(value))
                            : onMismatch;
        }

        @Override
        public Node binary(byte[] value) {
            return () ->
                    cursor.type() == EdmType.BINARY
                            ? operator.holds(cursor.compareBinary(value))
                            : onMismatch;
        }
    }
}
