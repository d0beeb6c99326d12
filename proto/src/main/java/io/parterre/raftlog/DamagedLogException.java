package io.parterre.raftlog;

import java.io.IOException;
import java.nio.file.Path;

/** A log is damaged and must not be used: what was acknowledged may be gone from it. */
public final class DamagedLogException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedLogException(Path file, LogTail.Damaged damage) {
        super(
                "raft log "
                        + file
                        + " is damaged: the entry at offset "
                        + damage.offset()
                        + " cannot be read, and "
                        + damage.reason()
                        + "; nothing was changed, and this process must not go on with it. If other"
                        + " members have the data, put this folder aside and have it rebuilt from"
                        + " them; if none has, restore a backup. See the operations manual, damaged"
                        + " log");
    }
}
