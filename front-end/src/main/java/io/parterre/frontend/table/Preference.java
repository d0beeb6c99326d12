package io.parterre.frontend.table;

import java.util.Locale;
import java.util.Optional;

/** Whether a client wants its entity in the answer. Source: docs/protocol.md 3.4 and 3.8. */
public enum Preference {
    RETURN_CONTENT("return-content"),
    RETURN_NO_CONTENT("return-no-content");

    private final String wireName;

    Preference(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name in {@code Prefer} and {@code Preference-Applied}. */
    public String wireName() {
        return wireName;
    }

    /** Returns the preference in a {@code Prefer} header; unknown ones are ignored. */
    public static Optional<Preference> parse(Optional<String> header) {
        if (header.isEmpty()) {
            return Optional.empty();
        }
        for (String one : header.get().toLowerCase(Locale.ROOT).split(",")) {
            Optional<Preference> preference = named(one.strip());
            if (preference.isPresent()) {
                return preference;
            }
        }
        return Optional.empty();
    }

    private static Optional<Preference> named(String name) {
        return switch (name) {
            case "return-content" -> Optional.of(RETURN_CONTENT);
            case "return-no-content" -> Optional.of(RETURN_NO_CONTENT);
            default -> Optional.empty();
        };
    }
}
