package io.parterre.chaos.client;

/** One change within a {@link Write}. All but an insert demand the version they replace. */
public sealed interface Change {
    String row();

    /** The entity must not exist yet. */
    record Insert(String row, long value) implements Change {}

    /** The entity must still have that ETag; MERGE and PUT come to the same here and take turns. */
    record Update(String row, long value, String ifMatch, boolean merge) implements Change {}

    /** The entity must still have that ETag. */
    record Delete(String row, String ifMatch) implements Change {}
}
