package io.parterre.quota;

/**
 * Decides who may take more of a bounded memory. Pure.
 *
 * <p>Rule: below half of the bound anybody may take whatever they need, since nobody is hurt yet;
 * even what is larger than the bound can be had by a holder that is alone. Above half nothing is
 * given beyond the bound, and no holder may go beyond the bound divided by twice the number of
 * holders: that half of the memory is shared out evenly among those who hold something, so the one
 * who caused it is refused and the others are not. One who holds nothing may take once, so that
 * many holders do not make a share too small for any request.
 *
 * @param bytesMax what all may hold together
 * @param largestBytes of the largest request: no share is smaller
 */
public record FairShare(long bytesMax, long largestBytes) {
    public FairShare {
        if (bytesMax < 1 || largestBytes < 0) {
            throw new IllegalArgumentException(
                    "bytesMax: " + bytesMax + ", largestBytes: " + largestBytes);
        }
    }

    /** Whether holders are held to their shares. */
    public boolean pressed(long heldBytes) {
        return heldBytes > bytesMax / 2;
    }

    /** What each may hold while it is pressed. */
    public long shareBytes(int holders) {
        return Math.max(largestBytes, bytesMax / (2L * Math.max(1, holders)));
    }

    /**
     * Whether a holder may take more.
     *
     * @param heldBytes by all, without what is asked for
     * @param holderBytes by the one who asks, likewise
     * @param holders who hold something, the one who asks included
     */
    public boolean grants(long heldBytes, long holderBytes, int holders, long moreBytes) {
        if (!pressed(heldBytes)) {
            return true;
        }
        boolean fair = holderBytes == 0 || holderBytes + moreBytes <= shareBytes(holders);
        return fair && heldBytes + moreBytes <= bytesMax;
    }

    /** Whether a holder may begin something whose size will be known later. */
    public boolean admits(long heldBytes, long holderBytes, int holders) {
        return !pressed(heldBytes) || holderBytes <= shareBytes(holders);
    }
}
