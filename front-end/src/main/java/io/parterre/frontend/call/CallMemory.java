package io.parterre.frontend.call;

/** The memory of the server that a call holds, and who is charged for it. Thread-safe. */
public interface CallMemory {
    /** For calls from a server that does not count memory. */
    CallMemory UNCOUNTED =
            new CallMemory() {
                @Override
                public boolean chargeTo(String account) {
                    return true;
                }

                @Override
                public boolean gather(long bytes) {
                    return true;
                }
            };

    /**
     * Charges the call's memory to this account, once a credential has proved the caller. From then
     * on the account is charged instead of the address, so that callers behind one proxy are not
     * charged for each other. Called before anything is executed.
     *
     * @param account as the directory names it; never a name that is not authenticated
     * @return false if the account holds more than its share, so that the call must be refused as
     *     busy
     */
    boolean chargeTo(String account);

    /**
     * Charges a part of an answer that is assembled from several parts. The charge ends with the
     * call.
     *
     * @return false if the payer would hold too much, so that the call must be refused as busy
     */
    boolean gather(long bytes);
}
