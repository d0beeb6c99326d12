package io.parterre.deploy.backup;

/** Points of a round at which tests interrupt an archive. */
public enum ArchivePoint {
    /** Changes have been read from nodes. */
    CHANGES_READ,
    /** The data are in the repository, and no head names them. */
    DATA_PUT,
    /** A head names the data, and the nodes have not been told. */
    HEAD_PUT,
    /** The nodes have been told what the archive has. */
    TOLD
}
