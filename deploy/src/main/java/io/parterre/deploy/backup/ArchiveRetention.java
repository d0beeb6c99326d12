package io.parterre.deploy.backup;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What in a repository is too old to be needed. To restore to any time within the retention, the
 * newest backup from before it is needed, and all later changes. Pure.
 *
 * @param backups backups to be removed
 * @param parts parts of the archive to be removed
 */
record ArchiveRetention(List<String> backups, Set<String> parts) {
    /**
     * Largest expected difference between the clocks of machines that make backups and archives.
     */
    private static final Duration CLOCKS = Duration.ofHours(1);

    /** Data without a head for this long belong to an aborted round. */
    private static final Duration UNFINISHED = Duration.ofDays(1);

    ArchiveRetention {
        backups = List.copyOf(backups);
        parts = Set.copyOf(parts);
    }

    /** A complete backup. */
    record Backup(String backupId, long begunMillis, long endedMillis) {}

    /**
     * Returns what is to be removed.
     *
     * @param backups complete backups, the oldest first
     * @param parts names of parts of the archive, the oldest first
     * @param dataParts names of parts with data, with or without heads
     * @param keep retention, within which every time stays restorable; empty: all backups stay
     */
    static ArchiveRetention of(
            List<Backup> backups,
            List<String> parts,
            List<String> dataParts,
            Instant now,
            Optional<Duration> keep) {
        List<Backup> kept = new ArrayList<>(backups);
        List<String> removed = new ArrayList<>();
        keep.ifPresent(
                time -> {
                    long from = now.minus(time).minus(CLOCKS).toEpochMilli();
                    // The second backup is also from before the retention, so the first is not
                    // needed.
                    while (kept.size() > 1 && kept.get(1).endedMillis() < from) {
                        removed.add(kept.remove(0).backupId());
                    }
                });
        Set<String> old = new HashSet<>();
        if (!kept.isEmpty()) {
            long from = kept.get(0).begunMillis() - 2 * CLOCKS.toMillis();
            int newestComplete = parts.size() - 1;
            while (newestComplete > 0 && !ArchiveParts.isComplete(parts.get(newestComplete))) {
                newestComplete--;
            }
            // An archive resumes from this part and from the one before it.
            for (String each : parts.subList(0, Math.max(0, newestComplete - 1))) {
                if (ArchiveParts.madeMillis(each) < from) {
                    old.add(each);
                }
            }
        }
        Set<String> heads = new HashSet<>(parts);
        long unfinished = now.minus(UNFINISHED).toEpochMilli();
        for (String each : dataParts) {
            if (!heads.contains(each) && ArchiveParts.madeMillis(each) < unfinished) {
                old.add(each);
            }
        }
        return new ArchiveRetention(removed, old);
    }

    /** Returns what in a repository is too old. */
    static ArchiveRetention of(Repository repository, Instant now, Optional<Duration> keep)
            throws IOException {
        List<Backup> backups = new ArrayList<>();
        for (String id : repository.backupIds()) {
            repository
                    .manifest(id)
                    .ifPresent(
                            each ->
                                    backups.add(
                                            new Backup(
                                                    id,
                                                    each.getBegunMillis(),
                                                    each.getEndedMillis())));
        }
        ArchiveParts archive = new ArchiveParts(repository);
        return of(backups, archive.parts(), archive.dataParts(), now, keep);
    }
}
