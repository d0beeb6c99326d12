package io.parterre.simulator;

/** What must hold in every simulated second. Stateless. */
final class Invariant {
    private Invariant() {}

    /**
     * Checks.
     *
     * @param what it is about, with the values that it is judged by
     * @throws BrokenInvariantException if it does not hold
     */
    static void holds(boolean invariant, String what, Object... values) {
        if (!invariant) {
            throw new BrokenInvariantException(String.format(what, values));
        }
    }
}
