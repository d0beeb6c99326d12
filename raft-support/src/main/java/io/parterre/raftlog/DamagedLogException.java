package io.parterre.raftlog;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown if a log is damaged and must not be used, because acknowledged entries may be missing. */
public final class DamagedLogException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String damage;

    DamagedLogException(Path file, LogTail.Damaged damage) {
        this(
                "raft log "
                        + file
                        + " is damaged: the entry at offset "
                        + damage.offset()
                        + " cannot be read, and "
                        + damage.reason());
    }

    private DamagedLogException(String damage) {
        super(
                damage
                        + "; nothing was changed, and this process must not go on with it. If other"
                        + " members have the data, put this folder aside and have it rebuilt from"
                        + " them; if none has, restore a backup. See the operations manual, damaged"
                        + " log");
        this.damage = damage;
    }

    /** Returns the place and kind of the damage, without advice. */
    public String damage() {
        return damage;
    }
}
