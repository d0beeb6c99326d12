package io.parterre.release;

/**
 * Formats and orders of a release that an earlier release could not read, with the feature level
 * that a cluster needs for each: one list for all roles. Code that writes such a format, or an
 * order for it, checks the cluster's level first; code that reads it does not.
 */
public enum Feature {
    /**
     * The level itself in the managers' map: the command that raises it, snapshots that contain it,
     * and clusters that are bootstrapped at it.
     */
    CLUSTER_LEVEL(2),
    /**
     * Rows in the midst of a log entry, of which a crash or a copy may keep a part. Below this
     * level an entry is applied as a whole, however large its effect.
     */
    SLICED_ENTRIES(2),
    /**
     * The order to quarantine a replica that lacks entries that it had acknowledged, or has other
     * rows than a majority.
     */
    QUARANTINE_ORDERS(2),
    /**
     * Entries that an operator has decided to skip. A release that does not read the record of this
     * decision would apply them, and have other rows than the other members.
     */
    SKIPPED_ENTRIES(2),
    /** The command by which a range forgets fences of tables that were deleted long ago. */
    FORGOTTEN_FENCES(2),
    /**
     * Log entries of ranges in which no bytes appear as a client sent them, so that none can
     * imitate a part of the log.
     */
    WHITENED_ENTRIES(3),
    /**
     * The command that sets a range's log time back, its outcome, and clock rows with timestamps
     * that were given ahead of it.
     */
    CLOCK_RESET(3),
    /**
     * Reasons as codes with arguments in the managers' state: entries of the journal, and splits
     * and merges that were given up. Below this level they are sentences.
     */
    JOURNAL_REASONS(4),
    /**
     * Removed nodes that return under their id with a new data folder, and the incarnations of the
     * folders with which they left. A release that does not know this feature keeps them removed,
     * and its map would differ.
     */
    RETURNED_NODES(5),
    /** The command by which a restore puts rows of a backup into a range, and its outcome. */
    RESTORED_ROWS(5),
    /** Change records for an archive, which lie in the store beside rows. */
    CHANGE_RECORDS(5),
    /** Encrypted account keys in the managers' state, and the command that writes them. */
    ENCRYPTED_ACCOUNT_KEYS(5);

    private final FeatureLevel needed;

    Feature(int needed) {
        this.needed = new FeatureLevel(needed);
    }

    /** The lowest level of clusters that may use the feature. */
    public FeatureLevel needed() {
        return needed;
    }
}
