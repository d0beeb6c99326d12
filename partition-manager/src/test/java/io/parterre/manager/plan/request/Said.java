package io.parterre.manager.plan.request;

import io.parterre.manager.reason.ReasonText;

/** What an operator reads of a verdict. */
public final class Said {
    private Said() {}

    public static String of(Verdict verdict) {
        if (verdict instanceof Verdict.NotFound missing) {
            return "not found: " + ReasonText.of(missing.why());
        }
        if (verdict instanceof Verdict.Invalid invalid) {
            return "invalid: " + ReasonText.of(invalid.why());
        }
        if (verdict instanceof Verdict.Refuse refuse) {
            return "refused: " + ReasonText.of(refuse.why());
        }
        return "done: " + String.join("; ", ReasonText.all(((Verdict.Do) verdict).effects()));
    }
}
