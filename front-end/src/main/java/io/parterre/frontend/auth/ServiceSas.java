package io.parterre.frontend.auth;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A service signature: a part of one table. Source: docs/protocol.md 8.5.
 *
 * @param keys what of the table it covers
 */
record ServiceSas(SasFields fields, KeyBounds keys) {
    private static final String FIRST_FOR_TABLES = "2012-02-12";
    private static final String FIRST_WITH_SERVICE_IN_RESOURCE = "2015-02-21";
    private static final String PERMISSIONS = "raud";
    private static final int POLICY_ID_CHARS_MAX = 64;

    /** Empty if it breaks a rule that needs no secret to check. */
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

    /** Documented in one order, taken in any, as recorded: clients write them as they come. */
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

    /** The stored access policy it leans on. */
    Optional<String> policyId() {
        return Optional.of(fields.text("si")).filter(id -> !id.isEmpty());
    }

    Optional<String> permissions() {
        return Optional.of(fields.text("sp")).filter(letters -> !letters.isEmpty());
    }

    /** The text its signature covers. */
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
