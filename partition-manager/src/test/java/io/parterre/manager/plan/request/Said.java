package io.parterre.manager.plan.request;

import io.parterre.manager.map.RefusalText;

/** What an operator reads of a verdict. */
public final class Said {
    private Said() {}

    public static String of(Verdict verdict) {
        if (verdict instanceof Verdict.NotFound missing) {
            return "not found: " + RefusalText.of(missing.why());
        }
        if (verdict instanceof Verdict.Invalid invalid) {
            return "invalid: " + RefusalText.of(invalid.why());
        }
        if (verdict instanceof Verdict.Refuse refuse) {
            return "refused: " + RefusalText.of(refuse.why());
        }
        return "done: " + String.join("; ", ((Verdict.Do) verdict).effects());
    }
}
