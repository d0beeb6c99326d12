package io.parterre.manager.reason;

import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The sentences that people read of reasons. Stateless; safe for any thread. */
public final class ReasonText {
    private ReasonText() {}

    /** A sentence for each. */
    public static List<String> all(List<Reason> reasons) {
        return reasons.stream().map(ReasonText::of).toList();
    }

    /** Of what this release does not know: the code's number and what it is about. */
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
                // A newer release gives it other arguments.
            }
        }
        return "reason " + reason.code() + " (" + joined(", ", values) + ")";
    }

    private static String joined(String separator, List<Object> values) {
        return String.join(separator, values.stream().map(String::valueOf).toList());
    }
}
