package io.parterre.filter;

/** Comparison operators of the filter grammar. Tags are part of the format between roles. */
public enum Operator {
    EQ(1),
    NE(2),
    GT(3),
    GE(4),
    LT(5),
    LE(6);

    private final byte tag;

    Operator(int tag) {
        this.tag = (byte) tag;
    }

    byte tag() {
        return tag;
    }

    static Operator ofTag(byte tag) {
        if (tag < 1 || tag > 6) {
            throw new IllegalArgumentException("operator tag: " + tag + " (expected: 1..6)");
        }
        return values()[tag - 1];
    }

    /** Returns the operator for swapped operands: {@code 5 lt a} is {@code a gt 5}. */
    public Operator mirrored() {
        return switch (this) {
            case EQ, NE -> this;
            case GT -> LT;
            case GE -> LE;
            case LT -> GT;
            case LE -> GE;
        };
    }

    /**
     * Returns whether the operator holds for operands that compare like this (negative, zero,
     * positive).
     */
    public boolean holds(int comparison) {
        return switch (this) {
            case EQ -> comparison == 0;
            case NE -> comparison != 0;
            case GT -> comparison > 0;
            case GE -> comparison >= 0;
            case LT -> comparison < 0;
            case LE -> comparison <= 0;
        };
    }
}
