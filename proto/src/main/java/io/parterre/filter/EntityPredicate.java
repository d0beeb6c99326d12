package io.parterre.filter;

import io.parterre.entity.EdmType;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityView;
import io.parterre.entity.PropertyCursor;
import io.parterre.entity.TextCodec;
import io.parterre.key.KeyText;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A filter compiled for tests of many stored entities. One pass over an entity's properties finds
 * those that the filter names, then the tree is evaluated on the stored bytes. Not thread-safe: one
 * per scan.
 *
 * <p>Rules: an absent property makes every comparison false, also {@code ne}; Int64 and Double
 * properties compare numerically with smaller integer literals, other types only with their own;
 * between types {@code ne} is true and everything else false. NaN equals nothing. Source:
 * docs/protocol.md 5.4.
 */
public final class EntityPredicate {
    private static final int ABSENT = -1;

    /** Names in the filter in the order of their bytes, for a binary search by each property. */
    private final byte[][] names;

    /** For each name, the index of its entry in {@code positions}. */
    private final int[] slots;

    private final int[] positions;
    private final PropertyCursor cursor = new PropertyCursor(new byte[0], 0, 0);
    private final Node root;
    private EntityView view;

    /** A name in the filter. */
    private record Name(byte[] utf8, int slot) {}

    public EntityPredicate(Filter filter) {
        Compiler compiler = new Compiler();
        this.root = filter.match(compiler);
        List<Name> sorted =
                compiler.slots.entrySet().stream()
                        .map(each -> new Name(TextCodec.encode(each.getKey()), each.getValue()))
                        .sorted((one, other) -> Arrays.compareUnsigned(one.utf8(), other.utf8()))
                        .toList();
        this.names = sorted.stream().map(Name::utf8).toArray(byte[][]::new);
        this.slots = sorted.stream().mapToInt(Name::slot).toArray();
        this.positions = new int[names.length];
    }

    public boolean test(EntityView entity) {
        view = entity;
        if (names.length > 0) {
            locate();
        }
        return root.test();
    }

    private void locate() {
        Arrays.fill(positions, ABSENT);
        int missing = positions.length;
        view.properties(cursor);
        while (missing > 0 && cursor.next()) {
            int found = indexOfName();
            if (found >= 0) {
                positions[slots[found]] = cursor.position();
                missing--;
            }
        }
    }

    /** Returns the index of the current property's name; negative: the filter does not name it. */
    private int indexOfName() {
        int low = 0;
        int high = names.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = cursor.compareName(names[middle]);
            if (order == 0) {
                return middle;
            }
            if (order > 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
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

    /** Compiles the tree to nodes; each node reads the current entity. */
    private final class Compiler implements Filter.Cases<Node> {
        private final Map<String, Integer> slots = new HashMap<>();

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
            return slots.computeIfAbsent(name, any -> slots.size());
        }
    }

    /** Compares the current property with a literal. */
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
            // Double.compare is wrong here, because it orders -0.0 below 0.0.
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
