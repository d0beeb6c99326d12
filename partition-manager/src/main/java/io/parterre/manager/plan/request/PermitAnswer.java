package io.parterre.manager.plan.request;

import java.util.Optional;

/**
 * What a server that reports learns of the disruption permit.
 *
 * @param held the server asked for it and holds it
 * @param whyNot why the server, which asked for it, does not hold it; for people
 */
public record PermitAnswer(boolean held, Optional<String> whyNot) {
    public static final PermitAnswer NOT_ASKED = new PermitAnswer(false, Optional.empty());
    public static final PermitAnswer HELD = new PermitAnswer(true, Optional.empty());

    public static PermitAnswer refused(String why) {
        return new PermitAnswer(false, Optional.of(why));
    }
}
