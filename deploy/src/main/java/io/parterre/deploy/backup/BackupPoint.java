package io.parterre.deploy.backup;

/** Moments of a backup at which tests end it. */
public enum BackupPoint {
    /** The plan is written. */
    PLANNED,
    /** Rows of a part of a range have come. */
    ROWS_TAKEN,
    /** A piece is in the repository, and no unit names it. */
    PIECE_PUT,
    /** A unit is noted. */
    UNIT_NOTED,
    /** All units are noted, and the manifest is not written. */
    ALL_READ,
    /** The manifest is written, and what was needed for it not removed. */
    MANIFEST_PUT
}
