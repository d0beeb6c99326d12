package io.parterre.frontend.table;

import io.parterre.entity.EdmValue;
import java.util.Optional;

/**
 * A token of a filter.
 *
 * @param text as it stands in the filter
 * @param end offset after it, which error texts name
 * @param literal its value, of kind LITERAL only
 */
record FilterToken(Kind kind, String text, int end, Optional<EdmValue> literal) {
    enum Kind {
        OPEN,
        CLOSE,
        /** Identifier or keyword. */
        WORD,
        LITERAL,
        /** A date outside the range of stored ones: legal, but it equals nothing. */
        EARLY_DATE,
        LATE_DATE,
        COMMA,
        /** Member access, as in lambda expressions. */
        SLASH,
        END
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && text.equals(word);
    }
}
