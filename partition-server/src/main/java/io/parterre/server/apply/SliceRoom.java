package io.parterre.server.apply;

/**
 * Memory for what a slice makes beyond a small amount, shared by the ranges of a node. The applying
 * thread takes room and gives it back once the slice is written.
 */
public interface SliceRoom {
    /** For callers with memory enough. */
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
     * Waits until the slice may make up to {@link SliceLimits#sliceBytes}. Returns at once if the
     * slice has this room already.
     *
     * @return whether the room was taken by this call
     * @throws java.util.concurrent.CancellationException if the replica is to end: the range state
     *     must then be discarded
     */
    boolean takeSlice();

    /**
     * Waits until the slice, which has room for {@link SliceLimits#sliceBytes}, may make more while
     * it is written.
     *
     * @throws java.util.concurrent.CancellationException if the replica is to end: the range state
     *     must then be discarded
     */
    void takeOversize();
}
