package io.parterre.frontend.table;

import io.parterre.entity.EdmValue;
import java.util.Optional;

/**
 * A token of a filter.
 *
 * @param text text as in the filter
 * @param end offset after the token, which error texts contain
 * @param literal value of a token of kind LITERAL; otherwise empty
 */
record FilterToken(Kind kind, String text, int end, Optional<EdmValue> literal) {
    enum Kind {
        OPEN,
        CLOSE,
        /** Identifier or keyword. */
        WORD,
        LITERAL,
        /** A date outside the range of stored ones: legal, but equal to none of them. */
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
