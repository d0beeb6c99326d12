package io.parterre.error;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why a request was refused at once to protect what is running. Clients see it beside {@code
 * ServerBusy} in a header of ours, operators as a label of metrics. Nothing was read or written.
 */
public enum BusyReason {
    /** The partition takes too great a part of a range that is over its cap, or too much at all. */
    HOT_PARTITION("hot partition"),
    /** The range has as much under way as it may have, and no single partition is why. */
    RANGE_CAP("range over its cap"),
    /** The range is about to be part of another one, and not within the time that one may wait. */
    MERGE("range being merged"),
    /** Requests and answers hold as much of the node's memory as they may. */
    NODE_MEMORY("node memory"),
    /** As much waits at the node, for all its ranges together, as may wait there. */
    NODE_QUEUE("node queue"),
    /** The node's disk gives no answer; whether it comes back is being watched. */
    DISK("disk does not answer"),
    /**
     * The node's disk is nearly full: nothing may grow, so that there is room for what frees some.
     */
    DISK_SPACE("disk nearly full"),
    /** The node's clock is far ahead of the others', and would mark what is written for good. */
    CLOCK("clock ahead"),
    /** The account has used up its part of what it may ask of the cluster. */
    ACCOUNT_QUOTA("account quota"),
    /** The table has used up its part of what may be asked of it. */
    TABLE_QUOTA("table quota"),
    /** As much is under way at or from the front end as may be. */
    FRONT_END("front end"),
    /** No manager has vouched for the accounts that the front end knows for too long. */
    ACCOUNTS("accounts out of date");

    private final String text;

    BusyReason(String text) {
        this.text = text;
    }

    /** As in messages and headers. */
    public String text() {
        return text;
    }

    /** As a label of metrics. */
    public String label() {
        return text.replace(' ', '_');
    }

    /** The one with this text; empty: none, such as one of a later release. */
    public static Optional<BusyReason> ofText(String text) {
        return Arrays.stream(values()).filter(reason -> reason.text.equals(text)).findFirst();
    }
}
