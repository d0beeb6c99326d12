package io.parterre.deploy.doctor;

import io.parterre.disk.DiskSpace;
import io.parterre.server.DiskSpaceConfig;
import java.time.Duration;
import java.util.List;

/** Checks free space and speed of a data folder's disk. Pure. */
final class DiskCheck {
    /** Each write of a range waits for at least one sync. */
    private static final Duration SYNC_SLOW = Duration.ofMillis(20);

    /** Space that a disk should have left at its critical mark: docs/sizing.md. */
    private static final long LEFT_BYTES = 1L << 30;

    private DiskCheck() {}

    static Finding space(DiskSpace space, DiskSpaceConfig marks) {
        String subject = "disk space";
        if (!space.isKnown()) {
            return Finding.warning(subject, "the system does not tell how full the disk is");
        }
        String used =
                Amount.bytes(space.usableBytes())
                        + " of "
                        + Amount.bytes(space.totalBytes())
                        + " are free";
        if (space.isAbove(marks.criticalPercent())) {
            return Finding.problem(
                    subject,
                    used
                            + ": more than server.diskSpace.criticalPercent ("
                            + marks.criticalPercent()
                            + " %) is in use, and writes that need room are refused; delete other"
                            + " files or enlarge the file system");
        }
        if (space.isAbove(marks.highPercent())) {
            return Finding.warning(
                    subject,
                    used
                            + ": more than "
                            + marks.highPercent()
                            + " % is in use, and managers move replicas away");
        }
        long left = space.totalBytes() / 100 * (100 - marks.criticalPercent());
        return left < LEFT_BYTES
                ? Finding.warning(
                        subject,
                        used
                                + ", but only "
                                + Amount.bytes(left)
                                + " would be left at server.diskSpace.criticalPercent; lower it, so"
                                + " that 1 GiB is")
                : Finding.ok(subject, used);
    }

    /**
     * Judges how long the disk takes to make writes durable.
     *
     * @param syncs times of single synced writes; empty if none ended
     * @param stalledAfter time after which a disk counts as stalled and its server steps down as
     *     leader
     */
    static Finding sync(List<Duration> syncs, Duration stalledAfter) {
        String subject = "disk sync";
        if (syncs.isEmpty()) {
            return Finding.problem(subject, "no write to the disk has ended in time");
        }
        List<Duration> sorted = syncs.stream().sorted().toList();
        Duration half = sorted.get(sorted.size() / 2);
        Duration longest = sorted.get(sorted.size() - 1);
        String times =
                "a synced write takes "
                        + Amount.time(half)
                        + ", the longest of "
                        + sorted.size()
                        + " took "
                        + Amount.time(longest);
        if (longest.compareTo(stalledAfter) >= 0) {
            return Finding.problem(
                    subject,
                    times
                            + ": a server takes this for a disk that does not answer"
                            + " (server.disk.stalledAfter)");
        }
        return half.compareTo(SYNC_SLOW) > 0
                ? Finding.warning(
                        subject, times + ": every write waits for it; use a faster or idle disk")
                : Finding.ok(subject, times);
    }
}
