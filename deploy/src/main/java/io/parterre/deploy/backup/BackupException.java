package io.parterre.deploy.backup;

import java.io.IOException;

/** Why a backup or a restore cannot continue; the message is for operators. */
public final class BackupException extends IOException {
    private final boolean damaged;

    private BackupException(String message, boolean damaged, Throwable cause) {
        super(message, cause);
        this.damaged = damaged;
    }

    /** Returns an exception for a request that cannot be fulfilled. */
    public static BackupException refused(String message) {
        return new BackupException(message, false, null);
    }

    /**
     * Returns an exception for contents of the repository that are missing or differ from what was
     * written.
     */
    static BackupException damaged(String message) {
        return new BackupException(message, true, null);
    }

    static BackupException damaged(String message, Throwable cause) {
        return new BackupException(message, true, cause);
    }

    public boolean isDamaged() {
        return damaged;
    }
}
