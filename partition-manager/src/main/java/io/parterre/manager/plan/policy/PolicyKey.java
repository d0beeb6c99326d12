package io.parterre.manager.plan.policy;

import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * One value of the policy that operators may set.
 *
 * @param name as in the configuration file, below {@code manager.policy}
 * @param min smallest value that may be set
 * @param max largest value that may be set
 * @param step difference between two neighbouring values that may be set
 * @param meaning a sentence for people
 * @param value reads the value from a policy
 */
public record PolicyKey(
        String name,
        PolicyUnit unit,
        long min,
        long max,
        long step,
        String meaning,
        ToLongFunction<Policy> value) {
    /** Returns the value in a policy, as text. */
    public String print(Policy policy) {
        return unit.print(value.applyAsLong(policy));
    }

    /** Returns a description of the values that may be set. */
    public String allowed() {
        if (unit == PolicyUnit.SWITCH) {
            return unit.form();
        }
        if (step == 1) {
            return unit.print(min) + ".." + unit.print(max);
        }
        return LongStream.rangeClosed(0, (max - min) / step)
                .mapToObj(n -> unit.print(min + n * step))
                .collect(Collectors.joining(", "));
    }

    /**
     * Reads a value that may be set.
     *
     * @throws IllegalArgumentException with a message that names the allowed values
     */
    long parse(String text) {
        long read;
        try {
            read = unit.read(text.strip());
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    name
                            + ": '"
                            + text
                            + "' (expected: "
                            + unit.form()
                            + (unit == PolicyUnit.SWITCH ? "" : "; " + allowed())
                            + ")",
                    e);
        }
        if (read < min || read > max || (read - min) % step != 0) {
            throw new IllegalArgumentException(
                    name + ": " + unit.print(read) + " (expected: " + allowed() + ")");
        }
        return read;
    }
}
