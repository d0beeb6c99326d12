package io.parterre.bench.hotspot;

import java.util.Arrays;

/**
 * Distribution of calls over numbered partitions: by Zipf's law around a hot one, whose neighbours
 * on both sides come next, so that the heat is in one place of the key space. Immutable.
 */
final class Skew {
    private final double[] shares;
    private final double[] upTo;

    private Skew(double[] shares) {
        this.shares = shares;
        this.upTo = new double[shares.length];
        double sum = 0;
        for (int i = 0; i < shares.length; i++) {
            sum += shares[i];
            upTo[i] = sum;
        }
    }

    /** Returns an even distribution. */
    static Skew even(int partitions) {
        return zipf(partitions, 0, 0);
    }

    /**
     * Returns Zipf's distribution: the n-th hottest partition has the n-th part of the hottest
     * one's calls, to the power of the exponent.
     *
     * @param hottest number of the hottest partition
     */
    static Skew zipf(int partitions, double exponent, int hottest) {
        double[] shares = new double[partitions];
        double sum = 0;
        for (int rank = 0; rank < partitions; rank++) {
            int away = (rank + 1) / 2 * (rank % 2 == 0 ? 1 : -1);
            double weight = Math.pow(rank + 1, -exponent);
            shares[Math.floorMod(hottest + away, partitions)] = weight;
            sum += weight;
        }
        for (int i = 0; i < partitions; i++) {
            shares[i] /= sum;
        }
        return new Skew(shares);
    }

    int partitions() {
        return shares.length;
    }

    /** Returns the share of all calls of a range of partitions, from 0 to 1. */
    double share(int from, int endExclusive) {
        double sum = 0;
        for (int i = from; i < endExclusive; i++) {
            sum += shares[i];
        }
        return sum;
    }

    /**
     * Returns the partition of a call.
     *
     * @param uniform random number from 0 to 1, exclusive
     */
    int draw(double uniform) {
        int found = Arrays.binarySearch(upTo, uniform);
        return Math.min(shares.length - 1, found < 0 ? -found - 1 : found + 1);
    }
}
