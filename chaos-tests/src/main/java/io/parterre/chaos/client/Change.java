package io.parterre.chaos.client;

/** One change within a {@link Write}. All but an insert require the version that they replace. */
public sealed interface Change {
    String row();

    /** The entity must not exist yet. */
    record Insert(String row, long value) implements Change {}

    /**
     * The entity must still have this ETag. MERGE and PUT have the same effect here and alternate.
     */
    record Update(String row, long value, String ifMatch, boolean merge) implements Change {}

    /** The entity must still have this ETag. */
    record Delete(String row, String ifMatch) implements Change {}
}
