package io.parterre.frontend.auth;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An account signature: gives access to kinds of resources of an account. Source: docs/protocol.md
 * 8.6.
 */
record AccountSas(SasFields fields) {
    private static final String FIRST_WITH_ENCRYPTION_SCOPE = "2020-12-06";
    private static final Pattern SERVICES = Pattern.compile("[bqtf]+");
    private static final Pattern RESOURCE_TYPES = Pattern.compile("[sco]+");
    private static final Pattern PERMISSIONS = Pattern.compile("[rwdxylacuptfi]+");

    /**
     * Returns the signature's fields as an account signature; empty if they break a rule that can
     * be checked without a secret.
     */
    static Optional<AccountSas> of(SasFields fields) {
        boolean wellFormed =
                fields.isFrom(SasFields.FIRST_WITH_ADDRESS)
                        && fields.has("se")
                        && SERVICES.matcher(fields.text("ss")).matches()
                        && RESOURCE_TYPES.matcher(fields.text("srt")).matches()
                        && PERMISSIONS.matcher(fields.text("sp")).matches();
        return wellFormed ? Optional.of(new AccountSas(fields)) : Optional.empty();
    }

    boolean isForTables() {
        return fields.text("ss").indexOf('t') >= 0;
    }

    Access access() {
        return new AccountAccess(fields.text("srt"), fields.text("sp"));
    }

    /**
     * Returns the text that the signature covers. Unlike other signed texts, it ends with a line
     * feed.
     */
    String textToSign(String account) {
        StringBuilder text = new StringBuilder(160).append(account).append('\n');
        for (String name : List.of("sp", "ss", "srt", "st", "se", "sip", "spr", "sv")) {
            text.append(fields.text(name)).append('\n');
        }
        if (fields.isFrom(FIRST_WITH_ENCRYPTION_SCOPE)) {
            text.append(fields.text("ses")).append('\n');
        }
        return text.toString();
    }
}
