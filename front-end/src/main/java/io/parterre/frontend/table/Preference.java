package io.parterre.frontend.table;

import java.util.Locale;
import java.util.Optional;

/** Whether a client wants its entity back. Source: sections 3.4 and 3.8. */
public enum Preference {
    RETURN_CONTENT("return-content"),
    RETURN_NO_CONTENT("return-no-content");

    private final String wireName;

    Preference(String wireName) {
        this.wireName = wireName;
    }

    /** The name in {@code Prefer} and {@code Preference-Applied}. */
    public String wireName() {
        return wireName;
    }

    /** What a {@code Prefer} header asks for; preferences that we do not know are ignored. */
    public static Optional<Preference> parse(Optional<String> header) {
        String wanted = header.orElse("").toLowerCase(Locale.ROOT);
        for (String one : wanted.split(",")) {
            for (Preference preference : values()) {
                if (preference.wireName.equals(one.strip())) {
                    return Optional.of(preference);
                }
            }
        }
        return Optional.empty();
    }
}
