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
 * What of a repository is too old to be needed: to restore to any time of the last days, the newest
 * backup from before them is, and what has changed since. Pure.
 *
 * @param backups to be removed
 * @param parts of the archive to be removed
 */
record ArchiveRetention(List<String> backups, Set<String> parts) {
    /** Clocks of those who make backups and archives may differ so much. */
    private static final Duration CLOCKS = Duration.ofHours(1);

    /** Data without a head for so long were given up. */
    private static final Duration UNFINISHED = Duration.ofDays(1);

    ArchiveRetention {
        backups = List.copyOf(backups);
        parts = Set.copyOf(parts);
    }

    /** A whole backup. */
    record Backup(String backupId, long begunMillis, long endedMillis) {}

    /**
     * What is to be removed.
     *
     * @param backups that are whole, the oldest first
     * @param parts names of parts of the archive, the oldest first
     * @param dataParts names of parts that have data, with heads or not
     * @param keep how long back any time is to be restorable; empty: backups stay
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
                    // The second is from before as well: the first is needed for nothing.
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
            // From there on an archive finds out where it stands, and from the one before that.
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

    /** What of a repository is too old. */
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
