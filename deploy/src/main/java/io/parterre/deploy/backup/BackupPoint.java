package io.parterre.deploy.backup;

/** Points of a backup at which tests interrupt it. */
public enum BackupPoint {
    /** The plan is written. */
    PLANNED,
    /** Rows of a part of a range have been read. */
    ROWS_TAKEN,
    /** A piece is in the repository, and no unit names it. */
    PIECE_PUT,
    /** A unit is recorded. */
    UNIT_NOTED,
    /** All units are recorded, and the manifest is not written. */
    ALL_READ,
    /** The manifest is written, and the progress records are not removed. */
    MANIFEST_PUT
}
