package io.parterre.manager.plan.policy;

import io.parterre.disk.DiskMarks;

/**
 * What is made of full disks.
 *
 * @param highPercent a node with more of its disk in use gets nothing more, leads nothing and gives
 *     replicas away, until it is two percent below that. 100: disks are not looked at
 */
public record DiskPolicy(int highPercent) {
    public static final DiskPolicy DEFAULT = new DiskPolicy(85);

    public DiskPolicy {
        new DiskMarks(highPercent, 100);
    }

    /** Only the lower one: which node lets nothing grow any more, it says itself. */
    public DiskMarks marks() {
        return new DiskMarks(highPercent, 100);
    }
}
