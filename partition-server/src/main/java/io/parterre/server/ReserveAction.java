package io.parterre.server;

import io.parterre.disk.DiskLevel;

/**
 * Action on the reserve, a file whose deletion makes room on a full disk. Pure: {@link
 * SpaceReserve} acts.
 */
enum ReserveAction {
    NOTHING,
    MAKE,
    GIVE_BACK;

    /**
     * Returns the action for the current state.
     *
     * @param heldBytes size of the file; 0: there is none
     * @param wantedBytes size that it should have; 0: there should be none
     */
    static ReserveAction of(DiskLevel level, long heldBytes, long wantedBytes) {
        if (heldBytes > 0 && (level == DiskLevel.CRITICAL || wantedBytes == 0)) {
            return GIVE_BACK;
        }
        return level == DiskLevel.OK && heldBytes < wantedBytes ? MAKE : NOTHING;
    }
}
