package io.parterre.manager.reason;

import java.util.Arrays;
import java.util.List;

/**
 * Why something is done, left, refused or ended. Its text is the sentence made by {@link
 * ReasonText}. Immutable.
 *
 * @param code number of a {@link ReasonCode}; an unknown number of a newer release is kept
 * @param arguments in the order in which the code's sentence names them
 */
public record Reason(int code, List<Argument> arguments) {
    public Reason {
        arguments = List.copyOf(arguments);
    }

    static Reason of(ReasonCode code, Object... arguments) {
        return new Reason(code.number(), Arrays.stream(arguments).map(Argument::of).toList());
    }

    /** Returns a reason in words: of a release without codes, or of a requester. */
    public static Reason words(String sentence) {
        return ReasonCode.WORDS.of(sentence);
    }

    /** Returns one reason for all of these; for a single one, that reason. */
    public static Reason all(List<Reason> reasons) {
        return reasons.size() == 1
                ? reasons.get(0)
                : new Reason(
                        ReasonCode.SEVERAL.number(), reasons.stream().map(Argument::of).toList());
    }

    public boolean is(ReasonCode other) {
        return code == other.number();
    }

    /** Returns the reason in words, for processes that do not read codes. */
    public Reason inWords() {
        return is(ReasonCode.WORDS) ? this : words(toString());
    }

    /**
     * Returns the number of characters of all texts in it. Other arguments take only a few bytes
     * each.
     */
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

    /** Returns the approximate memory of its arguments, in bytes; the same on every manager. */
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
