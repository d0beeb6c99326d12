package io.parterre.frontend.table;

/**
 * A member's value as JSON has it, before its EDM type is known.
 *
 * @param text of a string its contents, of a number its digits, else empty
 */
record JsonScalar(Kind kind, String text) {
    static final JsonScalar NULL = new JsonScalar(Kind.NULL, "");
    static final JsonScalar TRUE = new JsonScalar(Kind.TRUE, "");
    static final JsonScalar FALSE = new JsonScalar(Kind.FALSE, "");

    enum Kind {
        NULL,
        TRUE,
        FALSE,
        STRING,
        /** A number without point and exponent. */
        INTEGER,
        /** A number with either. */
        DECIMAL
    }
}
