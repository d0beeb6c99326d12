package io.parterre.manager.reason;

import java.util.Arrays;
import java.util.List;

/**
 * Why something is done, left, refused or over. Its text is the sentence that {@link ReasonText}
 * makes of it. Immutable; safe for any thread.
 *
 * @param code number of a {@link ReasonCode}; that of a newer release is kept as it is
 * @param arguments what it is about, in the order in which the code's sentence names them
 */
public record Reason(int code, List<Argument> arguments) {
    public Reason {
        arguments = List.copyOf(arguments);
    }

    static Reason of(ReasonCode code, Object... arguments) {
        return new Reason(code.number(), Arrays.stream(arguments).map(Argument::of).toList());
    }

    /** A sentence as it was written: by a release that had no codes, or by who asked. */
    public static Reason words(String sentence) {
        return ReasonCode.WORDS.of(sentence);
    }

    /** All of these at once; of one: that. */
    public static Reason all(List<Reason> reasons) {
        return reasons.size() == 1
                ? reasons.get(0)
                : new Reason(
                        ReasonCode.SEVERAL.number(), reasons.stream().map(Argument::of).toList());
    }

    public boolean is(ReasonCode other) {
        return code == other.number();
    }

    /** For those who do not read codes. */
    public Reason inWords() {
        return is(ReasonCode.WORDS) ? this : words(toString());
    }

    /** Characters of all texts in it: what it takes beyond a few bytes for each argument. */
    public int length() {
        int length = 0;
        for (Argument argument : arguments) {
            if (argument instanceof Argument.Text text) {
                length += text.value().length();
            } else if (argument instanceof Argument.Cause cause) {
                length += cause.value().length();
            }
        }
        return length;
    }

    /** Memory that its arguments take, about; the same on every manager. */
    public long bytes() {
        long bytes = 0;
        for (Argument argument : arguments) {
            bytes += 40;
            if (argument instanceof Argument.Text text) {
                bytes += 2L * text.value().length();
            } else if (argument instanceof Argument.Node node) {
                bytes += 2L * node.value().value().length();
            } else if (argument instanceof Argument.Cause cause) {
                bytes += cause.value().bytes();
            }
        }
        return bytes;
    }

    @Override
    public String toString() {
        return ReasonText.of(this);
    }
}
