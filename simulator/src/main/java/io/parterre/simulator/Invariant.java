package io.parterre.simulator;

/** Checks what must hold in every simulated second. Stateless. */
final class Invariant {
    private Invariant() {}

    /**
     * Checks an invariant.
     *
     * @param what the invariant as a format, filled with the values by which it is judged
     * @throws BrokenInvariantException if it does not hold
     */
    static void holds(boolean invariant, String what, Object... values) {
        if (!invariant) {
            throw new BrokenInvariantException(String.format(what, values));
        }
    }
}
