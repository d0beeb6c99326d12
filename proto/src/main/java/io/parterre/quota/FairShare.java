package io.parterre.quota;

/**
 * Decides which holders may take more of a bounded memory. Pure.
 *
 * <p>Rule: below half of the bound every holder may take any amount, because no other holder
 * suffers yet. Even an amount above the bound is granted to a single holder. Above half nothing is
 * granted beyond the bound, and no holder may exceed the bound divided by twice the number of
 * holders. That half of the memory is shared out evenly among the holders, so the holder that
 * causes the shortage is refused and the others are not. A caller that holds nothing may take once,
 * so that many holders do not make a share too small for any request.
 *
 * @param bytesMax bound of the memory of all holders
 * @param largestBytes size of the largest request; no share is smaller
 */
public record FairShare(long bytesMax, long largestBytes) {
    public FairShare {
        if (bytesMax < 1 || largestBytes < 0) {
            throw new IllegalArgumentException(
                    "bytesMax: " + bytesMax + ", largestBytes: " + largestBytes);
        }
    }

    /** Returns whether the shares of holders are enforced. */
    public boolean enforcesShares(long heldBytes) {
        return heldBytes > bytesMax / 2;
    }

    /** Returns the share of each holder while shares are enforced. */
    public long shareBytes(int holders) {
        return Math.max(largestBytes, bytesMax / (2L * Math.max(1, holders)));
    }

    /**
     * Returns whether a holder may take more.
     *
     * @param heldBytes bytes held by all, without the requested bytes
     * @param holderBytes bytes held by this holder, likewise
     * @param holders number of holders, this one included
     */
    public boolean grants(long heldBytes, long holderBytes, int holders, long moreBytes) {
        if (!enforcesShares(heldBytes)) {
            return true;
        }
        boolean fair = holderBytes == 0 || holderBytes + moreBytes <= shareBytes(holders);
        return fair && heldBytes + moreBytes <= bytesMax;
    }

    /** Returns whether a holder may begin work whose size will be known later. */
    public boolean admits(long heldBytes, long holderBytes, int holders) {
        return !enforcesShares(heldBytes) || holderBytes <= shareBytes(holders);
    }
}
