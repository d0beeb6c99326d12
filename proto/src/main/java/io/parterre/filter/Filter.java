package io.parterre.filter;

import io.parterre.entity.EdmValue;
import java.util.List;

/**
 * A filter as a tree: the meaning of {@code $filter} without its text. Comparisons have the
 * property on the left; {@code and} and {@code or} take any number of terms, so that a long chain
 * is flat. Source: docs/protocol.md 5.2 and 5.4.
 */
public sealed interface Filter {
    <R> R match(Cases<R> cases);

    /** One method per kind of node. */
    interface Cases<R> {
        R and(And and);

        R or(Or or);

        R not(Not not);

        R comparison(Comparison comparison);

        R truth(BooleanProperty property);

        R constant(Constant constant);
    }

    /** True if every term is true. */
    record And(List<Filter> terms) implements Filter {
        public And {
            terms = List.copyOf(terms);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.and(this);
        }
    }

    /** True if any term is true. */
    record Or(List<Filter> terms) implements Filter {
        public Or {
            terms = List.copyOf(terms);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.or(this);
        }
    }

    /** Two-valued negation: true if the term is false, so also if its property is absent. */
    record Not(Filter term) implements Filter {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.not(this);
        }
    }

    /**
     * Comparison of a property with a literal; false if the property is absent.
     *
     * @param property name, case-sensitive; also {@code PartitionKey}, {@code RowKey}, {@code
     *     Timestamp}
     */
    record Comparison(String property, Operator operator, EdmValue literal) implements Filter {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.comparison(this);
        }
    }

    /** A bare property: true only if it is a Boolean and true. */
    record BooleanProperty(String property) implements Filter {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.truth(this);
        }
    }

    /** A bare {@code true} or {@code false}. */
    record Constant(boolean value) implements Filter {
        public static final Constant ALL = new Constant(true);

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.constant(this);
        }
    }
}
