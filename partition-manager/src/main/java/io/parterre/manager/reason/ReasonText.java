package io.parterre.manager.reason;

import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Makes the sentences of reasons for people. Stateless and thread-safe. */
public final class ReasonText {
    private ReasonText() {}

    /** Returns one sentence for each reason. */
    public static List<String> all(List<Reason> reasons) {
        return reasons.stream().map(ReasonText::of).toList();
    }

    /**
     * Returns the sentence of a reason; for a code that this release does not know, its number and
     * arguments.
     */
    public static String of(Reason reason) {
        List<Object> values = reason.arguments().stream().<Object>map(Argument::value).toList();
        if (reason.is(ReasonCode.SEVERAL)) {
            return joined("; ", values);
        }
        Optional<ReasonCode> known = ReasonCode.byNumber(reason.code());
        if (known.isPresent()) {
            try {
                return String.format(Locale.ROOT, known.get().sentence(), values.toArray());
            } catch (IllegalFormatException e) {
                // A newer release gives this code other arguments.
            }
        }
        return "reason " + reason.code() + " (" + joined(", ", values) + ")";
    }

    private static String joined(String separator, List<Object> values) {
        return String.join(separator, values.stream().map(String::valueOf).toList());
    }
}
