package io.parterre.error;

import java.util.Arrays;
import java.util.Optional;

/**
 * Why a request was refused at once to protect running work. Clients see the reason beside {@code
 * ServerBusy} in a header of Parterre, operators as a label of metrics. Nothing was read or
 * written.
 */
public enum BusyReason {
    /**
     * The partition takes too great a part of a range that is over its cap, or more than any
     * partition may take.
     */
    HOT_PARTITION("hot partition"),
    /** The range is over its cap of requests under way, and no single partition is the cause. */
    RANGE_CAP("range over its cap"),
    /**
     * The range is being merged, and the merge has not settled within the time that a request may
     * wait.
     */
    MERGE("range being merged"),
    /** Requests and answers hold the node's whole memory for them. */
    NODE_MEMORY("node memory"),
    /** The node's queue, shared by all its ranges, is full. */
    NODE_QUEUE("node queue"),
    /** The node's disk does not answer; the node watches whether it recovers. */
    DISK("disk does not answer"),
    /**
     * The node's disk is nearly full. Nothing may grow, so that there is room for operations that
     * free some.
     */
    DISK_SPACE("disk nearly full"),
    /**
     * The node's clock is far ahead of the others', and writes would keep its timestamps for good.
     */
    CLOCK("clock ahead"),
    /** The account has used up its quota. */
    ACCOUNT_QUOTA("account quota"),
    /** The table has used up its quota. */
    TABLE_QUOTA("table quota"),
    /** The front end has as many requests under way as allowed. */
    FRONT_END("front end"),
    /** For too long, no manager has confirmed the accounts that the front end knows. */
    ACCOUNTS("accounts out of date");

    private final String text;

    BusyReason(String text) {
        this.text = text;
    }

    /** Returns the text in messages and headers. */
    public String text() {
        return text;
    }

    /** Returns the label of metrics. */
    public String label() {
        return text.replace(' ', '_');
    }

    /**
     * Returns the reason with this text; empty: there is none, such as a reason of a later release.
     */
    public static Optional<BusyReason> ofText(String text) {
        return Arrays.stream(values()).filter(reason -> reason.text.equals(text)).findFirst();
    }
}
