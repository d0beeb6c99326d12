package io.parterre.frontend.table;

/**
 * A member's JSON value, before its EDM type is known.
 *
 * @param text contents of a string or digits of a number; otherwise empty
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
        /** A number without decimal point and exponent. */
        INTEGER,
        /** A number with a decimal point or an exponent. */
        DECIMAL
    }
}
