package io.parterre.manager.plan.policy;

import io.parterre.disk.DiskMarks;

/**
 * When a disk counts as full.
 *
 * @param highPercent a node with more of its disk in use gets no more replicas, leads nothing and
 *     hands over replicas, until the use is two percent lower. 100: the use of disks is ignored
 */
public record DiskPolicy(int highPercent) {
    public static final DiskPolicy DEFAULT = new DiskPolicy(85);

    public DiskPolicy {
        new DiskMarks(highPercent, 100);
    }

    /** Returns the lower mark only. The node itself reports when it refuses growth. */
    public DiskMarks marks() {
        return new DiskMarks(highPercent, 100);
    }
}
