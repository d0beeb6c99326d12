package io.parterre.server.apply;

/**
 * Memory for what a slice makes, beyond a little, which the ranges of a node share. Taken by the
 * thread that applies, and given back by it once the slice is written.
 */
public interface SliceRoom {
    /** For who has memory enough. */
    SliceRoom UNBOUNDED =
            new SliceRoom() {
                @Override
                public boolean takeSlice() {
                    return false;
                }

                @Override
                public void takeOversize() {}
            };

    /**
     * Waits until the slice may make up to {@link SliceLimits#sliceBytes}, unless it may already.
     *
     * @return whether it may only now
     * @throws java.util.concurrent.CancellationException if the replica is to end: the state is
     *     worth nothing then
     */
    boolean takeSlice();

    /**
     * Waits until the slice, which may make so much, may make more while it is written.
     *
     * @throws java.util.concurrent.CancellationException if the replica is to end: the state is
     *     worth nothing then
     */
    void takeOversize();
}
