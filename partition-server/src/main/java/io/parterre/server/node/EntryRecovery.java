package io.parterre.server.node;

import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.Feature;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.quarantine.EntryStanding;
import io.parterre.server.quarantine.QuarantineMark;
import io.parterre.server.quarantine.Quarantines;
import io.parterre.server.raft.LogSegments;
import io.parterre.server.raft.Replica;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Shows and resumes replicas that are quarantined because an entry could not be applied, each step
 * on this node alone. The caller makes sure that all members take one step before any takes the
 * next: an entry that some members applied and others skipped would make them differ for ever.
 * Waits for the disk and for Raft; safe for any thread.
 */
public final class EntryRecovery {
    private final ReplicaNode node;
    private final ReplicaQuarantine quarantine;
    private final Quarantines quarantines;
    private final ClusterLevel level;

    EntryRecovery(ReplicaNode node, ReplicaQuarantine quarantine) {
        this.node = node;
        this.quarantine = quarantine;
        this.quarantines = node.folders().quarantines();
        this.level = node.level();
    }

    private Replica require(RangeId rangeId) throws IOException {
        return node.replicas()
                .find(rangeId)
                .filter(each -> !each.isBeingRemoved())
                .orElseThrow(() -> new IOException("range " + rangeId + " is not here"));
    }

    /**
     * Returns the state of the replica of a range.
     *
     * @throws IOException if there is no replica
     */
    public EntryStanding look(RangeId rangeId) throws IOException {
        Replica replica = require(rangeId);
        AppliedRows rows = replica.rows();
        return new EntryStanding(
                replica.quarantine(),
                replica.damage().isPresent()
                        && replica.quarantine().isEmpty()
                        && !replica.hasGroup(),
                rows.applied().index(),
                rows.lastTouched(),
                quarantines.skipped(rangeId),
                quarantines.release(),
                "");
    }

    /**
     * Returns the entry for which the replica is quarantined, as in the log but without its
     * whitening; empty if it is not quarantined or has no log.
     */
    public Optional<byte[]> entry(RangeId rangeId) throws IOException {
        Optional<QuarantineMark> mark = require(rangeId).quarantine();
        Path segments = quarantines.logFolder(rangeId).resolve("current");
        if (mark.isEmpty() || !Files.isDirectory(segments)) {
            return Optional.empty();
        }
        return LogSegments.data(segments, mark.get().entry()).map(LogEntryCodec::plain);
    }

    /**
     * Notes that an entry has no effect. A replica that has not reached the entry is quarantined as
     * well, so that it cannot reach it meanwhile. Durable when the call returns; may be repeated.
     */
    public EntryStanding skip(RangeId rangeId, AppliedPosition entry) throws IOException {
        synchronized (node) {
            Replica replica = require(rangeId);
            Optional<String> refusal = notSkipped(replica, entry);
            if (refusal.isPresent()) {
                return look(rangeId).refused(refusal.get());
            }
            Set<AppliedPosition> noted = new LinkedHashSet<>(quarantines.skipped(rangeId));
            if (noted.add(entry)) {
                quarantines.skip(rangeId, noted);
            }
            return look(rangeId);
        }
    }

    private Optional<String> notSkipped(Replica replica, AppliedPosition entry) throws IOException {
        if (!level.has(Feature.SKIPPED_ENTRIES)) {
            return Optional.of(
                    "the cluster's feature level is "
                            + level.get()
                            + ": a release that reads no more would apply the entry. Finish the"
                            + " upgrade first (parterre upgrade status)");
        }
        Optional<QuarantineMark> mark = replica.quarantine();
        if (mark.isEmpty() && replica.damage().isPresent()) {
            return Optional.of("it is damaged: " + replica.damage().get());
        }
        if (mark.isPresent() && !mark.get().entry().equals(entry)) {
            return Optional.of("it is quarantined at entry " + mark.get().entry().index());
        }
        if (replica.rows().lastTouched() >= entry.index()
                || mark.isEmpty() && !quarantine.stopBefore(replica, entry)) {
            return Optional.of("it has applied entry " + entry.index() + ", or a part of it");
        }
        return Optional.empty();
    }

    /**
     * Undoes {@link #skip}, unless the replica was resumed since and may have skipped the entry.
     */
    public EntryStanding withdraw(RangeId rangeId, AppliedPosition entry) throws IOException {
        synchronized (node) {
            Set<AppliedPosition> noted = new LinkedHashSet<>(quarantines.skipped(rangeId));
            if (!noted.remove(entry)) {
                return look(rangeId);
            }
            if (!isQuarantinedAt(require(rangeId), entry)) {
                return look(rangeId).refused("it may have skipped entry " + entry.index());
            }
            quarantines.skip(rangeId, noted);
            return look(rangeId);
        }
    }

    private static boolean isQuarantinedAt(Replica replica, AppliedPosition entry) {
        return replica.quarantine().filter(mark -> mark.entry().equals(entry)).isPresent();
    }

    /**
     * Resumes the replica. May be repeated.
     *
     * @param entry entry at which the replica is quarantined
     * @param skipping whether the replica skips that entry. If so, the entry must be noted as
     *     skipped; if not, it must not be noted
     */
    public EntryStanding resume(RangeId rangeId, AppliedPosition entry, boolean skipping)
            throws IOException {
        synchronized (node) {
            Replica replica = require(rangeId);
            if (replica.quarantine().isEmpty()) {
                return look(rangeId);
            }
            if (!isQuarantinedAt(replica, entry)) {
                return look(rangeId).refused("it is quarantined at another entry");
            }
            if (quarantines.skipped(rangeId).contains(entry) != skipping) {
                return look(rangeId)
                        .refused(
                                "entry "
                                        + entry.index()
                                        + (skipping ? " is not" : " is")
                                        + " noted as one to be skipped");
            }
            quarantine.resume(replica);
            return look(rangeId);
        }
    }
}
