package io.parterre.frontend.call;

/** What a call holds of the server's memory, and who pays for it. Safe for any thread. */
public interface CallMemory {
    /** For calls that did not come over a server that counts. */
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
     * Says whose call it is, once a credential has proved it. From then on that account pays, and
     * no longer the address: callers behind one proxy do not answer for each other. Called before
     * anything is executed.
     *
     * @param account as the directory names it; never a name that nobody has proved
     * @return false: the account holds more than its share and the call has to be refused as busy
     */
    boolean chargeTo(String account);

    /**
     * Charges what has come of an answer that is put together from parts; it is given back when the
     * call ends.
     *
     * @return false: it is more than the payer may hold, and the call has to be refused as busy
     */
    boolean gather(long bytes);
}
