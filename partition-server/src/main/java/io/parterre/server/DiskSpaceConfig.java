package io.parterre.server;

import io.parterre.disk.DiskMarks;

/**
 * How full the file system of the data folder may become before something comes of it.
 *
 * @param highPercent with more in use, the server warns
 * @param criticalPercent with more in use, it lets nothing grow
 */
public record DiskSpaceConfig(int highPercent, int criticalPercent) {
    public static final DiskSpaceConfig DEFAULT = new DiskSpaceConfig(85, 95);

    public DiskSpaceConfig {
        new DiskMarks(highPercent, criticalPercent);
    }

    DiskMarks marks() {
        return new DiskMarks(highPercent, criticalPercent);
    }
}
