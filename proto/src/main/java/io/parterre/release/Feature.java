package io.parterre.release;

/**
 * What a release writes or orders that an earlier one could not read, with the feature level that a
 * cluster needs for it: one list for all roles. A writer of one of these, or of an order for it,
 * looks at the cluster's level first; a reader does not.
 */
public enum Feature {
    /**
     * The level itself in the managers' map: the command that raises it, snapshots that hold it and
     * clusters founded at it.
     */
    CLUSTER_LEVEL(2),
    /**
     * Rows in the midst of a log entry, of which a crash or a copy may keep a part. Below this
     * level an entry is applied as a whole, whatever it makes.
     */
    SLICED_ENTRIES(2),
    /**
     * The order to take a replica out of its group that lacks what it had acknowledged, or holds
     * other rows than most.
     */
    QUARANTINE_ORDERS(2),
    /**
     * Entries that have no effect by an operator's word. A release that does not know the note of
     * it would apply them, and have other rows than the other members.
     */
    SKIPPED_ENTRIES(2),
    /** The command by which a range forgets fences of tables that were deleted long ago. */
    FORGOTTEN_FENCES(2),
    /**
     * Log entries of ranges in which no bytes are found as a client sent them, so that none can
     * pass for a part of the log itself.
     */
    WHITENED_ENTRIES(3),
    /**
     * The command that sets a range's log time back, its outcome, and clock rows with timestamps
     * that were given ahead of it.
     */
    CLOCK_RESET(3),
    /**
     * Reasons as codes with arguments in what managers keep: entries of the journal, splits and
     * merges that are given up. Below this level they are sentences.
     */
    JOURNAL_REASONS(4),
    /**
     * Nodes that were removed and return under their name with a new data folder, and the
     * incarnations of the folders that they left with. A release that does not know it keeps them
     * removed, and its map would differ.
     */
    RETURNED_NODES(5),
    /** The command by which a restore puts rows of a backup into a range, and its outcome. */
    RESTORED_ROWS(5),
    /** Records of changes for an archive, which lie in the store beside rows. */
    CHANGE_RECORDS(5),
    /** Keys of accounts that are encrypted in what managers keep, and the command for it. */
    ENCRYPTED_ACCOUNT_KEYS(5);

    private final FeatureLevel needed;

    Feature(int needed) {
        this.needed = new FeatureLevel(needed);
    }

    /** The lowest level of clusters that may have it. */
    public FeatureLevel needed() {
        return needed;
    }
}
