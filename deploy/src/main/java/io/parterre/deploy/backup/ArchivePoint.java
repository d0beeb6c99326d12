package io.parterre.deploy.backup;

/** Moments of an archive at which tests end it. */
public enum ArchivePoint {
    /** Changes have come from nodes. */
    CHANGES_READ,
    /** They are in the repository, and nothing says so. */
    DATA_PUT,
    /** A head says so, and the nodes have not been told. */
    HEAD_PUT,
    /** Nodes were told what the archive has. */
    TOLD
}
