package io.parterre.frontend.service;

import io.parterre.frontend.config.Problems;

/**
 * Limits of the size of a batch. A batch becomes one command, which a partition server writes to
 * its log in one piece, so neither limit can be raised beyond the service's. Source:
 * docs/protocol.md 7.1.
 *
 * @param bytesMax bytes of the body
 * @param operationsMax operations of the change set
 */
public record BatchLimits(int bytesMax, int operationsMax) {
    private static final int BYTES_LIMIT = 4 << 20;
    private static final int OPERATIONS_LIMIT = 100;

    /** The limits of the service. */
    public static final BatchLimits OF_THE_SERVICE = new BatchLimits(BYTES_LIMIT, OPERATIONS_LIMIT);

    public BatchLimits {
        new Problems()
                .range("bytesMax", bytesMax, 1, BYTES_LIMIT)
                .range("operationsMax", operationsMax, 1, OPERATIONS_LIMIT)
                .refuseIfAny();
    }
}
