package io.parterre.deploy.backup;

import java.io.IOException;

/** Why a backup or a restore cannot go on; the message is for operators. */
public final class BackupException extends IOException {
    private final boolean damaged;

    private BackupException(String message, boolean damaged, Throwable cause) {
        super(message, cause);
        this.damaged = damaged;
    }

    /** Something that was asked for cannot be. */
    public static BackupException refused(String message) {
        return new BackupException(message, false, null);
    }

    /** What the repository holds is not what was put there, or is missing. */
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
