package io.parterre.frontend.auth;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A service signature: gives access to a part of one table. Source: docs/protocol.md 8.5.
 *
 * @param keys bounds of the part of the table that the signature covers
 */
record ServiceSas(SasFields fields, KeyBounds keys) {
    private static final String FIRST_FOR_TABLES = "2012-02-12";
    private static final String FIRST_WITH_SERVICE_IN_RESOURCE = "2015-02-21";
    private static final String PERMISSIONS = "raud";
    private static final int POLICY_ID_CHARS_MAX = 64;

    /**
     * Returns the signature's fields as a service signature; empty if they break a rule that can be
     * checked without a secret.
     */
    static Optional<ServiceSas> of(SasFields fields) {
        boolean wellFormed =
                fields.isFrom(FIRST_FOR_TABLES)
                        && fields.has("tn")
                        && arePermissions(fields.text("sp"))
                        && fields.text("si").length() <= POLICY_ID_CHARS_MAX
                        && (!fields.has("srk") || fields.names("spk"))
                        && (!fields.has("erk") || fields.names("epk"));
        return wellFormed
                ? Optional.of(
                        new ServiceSas(
                                fields,
                                KeyBounds.of(
                                        fields.text("spk"),
                                        fields.text("srk"),
                                        fields.text("epk"),
                                        fields.text("erk"))))
                : Optional.empty();
    }

    /**
     * The letters are documented in one order and, as recorded, accepted in any, because clients
     * write them in any order.
     */
    private static boolean arePermissions(String letters) {
        return letters.length() <= PERMISSIONS.length()
                && letters.chars().allMatch(letter -> PERMISSIONS.indexOf(letter) >= 0)
                && letters.chars().distinct().count() == letters.length();
    }

    String table() {
        return fields.text("tn");
    }

    String tableLowerCase() {
        return table().toLowerCase(Locale.ROOT);
    }

    /** Returns the id of the stored access policy that the signature refers to; empty if none. */
    Optional<String> policyId() {
        return Optional.of(fields.text("si")).filter(id -> !id.isEmpty());
    }

    Optional<String> permissions() {
        return Optional.of(fields.text("sp")).filter(letters -> !letters.isEmpty());
    }

    /** Returns the text that the signature covers. */
    String textToSign(String account) {
        String resource =
                (fields.isFrom(FIRST_WITH_SERVICE_IN_RESOURCE) ? "/table/" : "/")
                        + account
                        + "/"
                        + tableLowerCase();
        List<String> names =
                fields.isFrom(SasFields.FIRST_WITH_ADDRESS)
                        ? List.of("si", "sip", "spr", "sv", "spk", "srk", "epk", "erk")
                        : List.of("si", "sv", "spk", "srk", "epk", "erk");
        StringBuilder text = new StringBuilder(160);
        for (String name : List.of("sp", "st", "se")) {
            text.append(fields.text(name)).append('\n');
        }
        text.append(resource);
        names.forEach(name -> text.append('\n').append(fields.text(name)));
        return text.toString();
    }
}
