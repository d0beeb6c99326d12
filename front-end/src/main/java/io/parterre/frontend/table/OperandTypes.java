package io.parterre.frontend.table;

import io.parterre.entity.EdmType;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.Filter;
import java.util.Optional;

/**
 * Checks that the operands of {@code and}, {@code or} and {@code not}, and a filter as a whole, are
 * Boolean as far as their types are declared: system properties and literals have declared types,
 * other properties may be of any type. A mismatch is kept and refused at the end of the filter,
 * because syntax errors come first. Source: docs/protocol.md 5.4. One per filter; not thread-safe.
 */
final class OperandTypes {
    /** The first mismatch. */
    private Optional<StorageException> mismatch = Optional.empty();

    /** Checks the operand of {@code not}. */
    void check(Optional<EdmType> type) {
        if (mismatch.isEmpty() && !FilterTerm.mayBeBoolean(type)) {
            mismatch =
                    refusal(
                            "A unary operator with an incompatible type was detected. Found operand"
                                    + " type '%s' for operator kind 'Not'.",
                            name(type));
        }
    }

    void check(Optional<EdmType> left, Optional<EdmType> right, String operator) {
        boolean fit = FilterTerm.mayBeBoolean(left) && FilterTerm.mayBeBoolean(right);
        if (mismatch.isEmpty() && !fit) {
            mismatch =
                    refusal(
                            "A binary operator with incompatible types was detected. Found operand"
                                    + " types '%s' and '%s' for operator kind '%s'.",
                            name(left), name(right), operator);
        }
    }

    /**
     * Returns the whole filter, read to its end.
     *
     * @throws StorageException {@code INVALID_INPUT} for the first mismatch
     */
    Filter checked(FilterTerm whole) {
        if (mismatch.isEmpty() && !FilterTerm.mayBeBoolean(whole.type())) {
            mismatch = refusal("The $filter expression must evaluate to a single boolean value.");
        }
        if (mismatch.isPresent()) {
            throw mismatch.get();
        }
        return whole.filter();
    }

    private static Optional<StorageException> refusal(String form, Object... values) {
        return Optional.of(new StorageException(ErrorCode.INVALID_INPUT, form.formatted(values)));
    }

    private static String name(Optional<EdmType> type) {
        return type.map(EdmType::wireName).orElse("<null>");
    }
}
