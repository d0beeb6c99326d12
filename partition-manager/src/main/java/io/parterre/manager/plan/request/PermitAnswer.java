package io.parterre.manager.plan.request;

import java.util.Optional;

/**
 * The answer to a server's report about the disruption permit.
 *
 * @param held whether the server asked for the permit and holds it
 * @param whyNot why the server, which asked for the permit, does not hold it; for people
 */
public record PermitAnswer(boolean held, Optional<String> whyNot) {
    public static final PermitAnswer NOT_ASKED = new PermitAnswer(false, Optional.empty());
    public static final PermitAnswer HELD = new PermitAnswer(true, Optional.empty());

    public static PermitAnswer refused(String why) {
        return new PermitAnswer(false, Optional.of(why));
    }
}
