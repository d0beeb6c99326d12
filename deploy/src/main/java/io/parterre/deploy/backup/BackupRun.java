package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.crash.CrashHook;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.BackupAccount;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.BackupPlan;
import io.parterre.proto.backup.BackupUnit;
import io.parterre.proto.backup.KeyInterval;
import io.parterre.proto.backup.PieceReference;
import io.parterre.proto.node.LogPosition;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Makes a backup. The key space is split into units at the ranges' initial bounds. Each unit is
 * read from the leader of its keys, piece by piece: after a split of the range a piece ends early,
 * and after a merge it is read up to the end of the unit. So every key is read once, and every
 * piece reflects one log index, with everything acknowledged before the backup began. Confined to
 * one thread, which blocks.
 */
public final class BackupRun {
    private final ClusterAccess cluster;
    private final Repository repository;
    private final RangeStream rows;
    private final BackupOptions options;
    private final InstantSource clock;
    private final CrashHook<BackupPoint> crash;
    private final Consumer<String> told;
    private final Patience patience;

    /**
     * Creates a run.
     *
     * @param told receives progress messages for operators
     */
    public BackupRun(
            ClusterAccess cluster,
            Repository repository,
            RowAccess access,
            BackupOptions options,
            InstantSource clock,
            CrashHook<BackupPoint> crash,
            Consumer<String> told) {
        this.cluster = cluster;
        this.repository = repository;
        this.rows = access.reader(options);
        this.options = options;
        this.clock = clock;
        this.crash = crash;
        this.told = told;
        this.patience = new Patience(options.patience());
    }

    /**
     * Begins a backup and completes it.
     *
     * @param backupId as {@link BackupId} makes it
     * @param full whether no piece of an older backup is reused unread, and damaged objects are
     *     written again
     */
    public BackupManifest create(String backupId, boolean full) throws IOException {
        String clusterId = cluster.clusterId();
        Optional<BackupManifest> base =
                full
                        ? Optional.empty()
                        : repository
                                .newest()
                                .filter(older -> older.getClusterId().equals(clusterId));
        // Before the ranges are read, so that they contain everything acknowledged before this
        // time.
        long begunMillis = clock.millis();
        BackupPlan.Builder plan =
                BackupPlan.newBuilder()
                        .setVersion(Repository.VERSION)
                        .setBackupId(backupId)
                        .setClusterId(clusterId)
                        .setBegunMillis(begunMillis)
                        .setFull(full)
                        .setBase(base.map(BackupManifest::getBackupId).orElse(""));
        for (KeyRange each : cluster.ranges()) {
            plan.addUnits(Intervals.toProto(each));
        }
        repository.putPlan(plan.build());
        // From here on nothing is pruned. If the base was deleted before, its objects may be gone.
        if (base.isPresent() && repository.manifest(plan.getBase()).isEmpty()) {
            base = Optional.empty();
            repository.putPlan(plan.setBase("").build());
        }
        crash.reached(BackupPoint.PLANNED);
        return finish(plan.build(), base);
    }

    /**
     * Completes a backup that was begun.
     *
     * @throws BackupException if the backup is another cluster's, or does not exist
     */
    public BackupManifest resume(String backupId) throws IOException {
        Optional<BackupManifest> whole = repository.manifest(backupId);
        if (whole.isPresent()) {
            repository.forgetProgress(backupId);
            return whole.get();
        }
        BackupPlan plan =
                repository
                        .plan(backupId)
                        .orElseThrow(
                                () ->
                                        BackupException.refused(
                                                "no backup " + backupId + " was begun"));
        if (!plan.getClusterId().equals(cluster.clusterId())) {
            throw BackupException.refused(
                    "backup " + backupId + " is of another cluster, " + plan.getClusterId());
        }
        // The interrupted run may have been killed before this check; a prune that begins later
        // finds its plan.
        repository.requireNoPruning();
        return finish(
                plan,
                plan.getBase().isEmpty() ? Optional.empty() : repository.manifest(plan.getBase()));
    }

    private BackupManifest finish(BackupPlan plan, Optional<BackupManifest> base)
            throws IOException {
        Map<Key, PieceReference> older = new HashMap<>();
        base.ifPresent(
                manifest ->
                        manifest.getPiecesList()
                                .forEach(
                                        each ->
                                                older.put(
                                                        Intervals.of(each.getKeys()).start(),
                                                        each)));
        int count = plan.getUnitsCount();
        BackupUnit[] units = new BackupUnit[count];
        AtomicInteger done = new AtomicInteger();
        Workers.each(
                IntStream.range(0, count).boxed().toList(),
                options.parallel(),
                number -> {
                    units[number] = unit(plan, number, older);
                    told.accept(done.incrementAndGet() + " of " + count + " units read");
                });
        crash.reached(BackupPoint.ALL_READ);
        List<PieceReference> pieces = new ArrayList<>();
        for (BackupUnit unit : units) {
            pieces.addAll(unit.getPiecesList());
        }
        BackupManifest manifest = manifest(plan, pieces);
        if (repository.plan(plan.getBackupId()).isEmpty()) {
            throw BackupException.refused(
                    "backup " + plan.getBackupId() + " was deleted meanwhile");
        }
        repository.putManifest(manifest);
        crash.reached(BackupPoint.MANIFEST_PUT);
        repository.forgetProgress(plan.getBackupId());
        return manifest;
    }

    private BackupManifest manifest(BackupPlan plan, List<PieceReference> pieces)
            throws IOException {
        BackupManifest.Builder manifest =
                BackupManifest.newBuilder()
                        .setVersion(Repository.VERSION)
                        .setBackupId(plan.getBackupId())
                        .setClusterId(plan.getClusterId())
                        .setRelease(
                                Optional.ofNullable(
                                                BackupRun.class
                                                        .getPackage()
                                                        .getImplementationVersion())
                                        .orElse(""))
                        .setBegunMillis(plan.getBegunMillis())
                        .setEndedMillis(clock.millis())
                        .setBase(plan.getBase())
                        .addAllPieces(pieces);
        for (Map.Entry<String, AccountId> each : cluster.accounts().entrySet()) {
            manifest.addAccounts(
                    BackupAccount.newBuilder()
                            .setName(each.getKey())
                            .setAccountId(each.getValue().value()));
        }
        new DirectoryOfBackup(repository, this::readAll).addTo(manifest);
        return manifest.setAddedBytes(repository.addedBytes()).build();
    }

    private BackupUnit unit(BackupPlan plan, int number, Map<Key, PieceReference> older)
            throws IOException {
        Optional<BackupUnit> noted = repository.unit(plan.getBackupId(), number);
        if (noted.isPresent()) {
            return noted.get();
        }
        BackupUnit.Builder unit = BackupUnit.newBuilder();
        KeyRange left = Intervals.of(plan.getUnits(number));
        boolean more = true;
        while (more) {
            PieceReference piece =
                    piece(left, Optional.ofNullable(older.get(left.start())), plan.getFull());
            unit.addPieces(piece);
            Key end = Intervals.of(piece.getKeys()).endExclusive();
            more = end.compareTo(left.endExclusive()) < 0;
            left = more ? new KeyRange(end, left.endExclusive()) : left;
        }
        repository.putUnit(plan.getBackupId(), number, unit.build());
        crash.reached(BackupPoint.UNIT_NOTED);
        return unit.build();
    }

    private PieceReference piece(KeyRange keys, Optional<PieceReference> older, boolean checked)
            throws IOException {
        return patience.until(
                "keys from " + keys.start(),
                progress ->
                        cluster.ask(
                                keys.start(),
                                leader -> {
                                    Optional<PieceReference> piece =
                                            piece(leader, keys, older, checked, progress);
                                    return piece.isPresent()
                                            ? piece
                                            : piece(
                                                    leader,
                                                    keys,
                                                    Optional.empty(),
                                                    checked,
                                                    progress);
                                }));
    }

    /** Reads a piece; returns empty if nothing has changed but the older piece has other keys. */
    private Optional<PieceReference> piece(
            Located from,
            KeyRange keys,
            Optional<PieceReference> older,
            boolean checked,
            Patience.Progress progress)
            throws IOException {
        Optional<PieceReference> comparable =
                older.filter(
                        piece ->
                                piece.getRangeId() == from.range().rangeId().value()
                                        && piece.getAppliedCommands() == 0);
        ChunkWriter chunks = new ChunkWriter(repository, checked);
        RangeStream.Sent sent =
                rows.read(
                        from,
                        keys,
                        comparable.map(
                                piece ->
                                        LogPosition.newBuilder()
                                                .setTerm(piece.getAppliedTerm())
                                                .setIndex(piece.getAppliedIndex())
                                                .build()),
                        (key, value) -> {
                            chunks.add(key, value);
                            progress.at(chunks.rows());
                        });
        KeyInterval interval = Intervals.toProto(sent.keys());
        if (sent.unchanged()) {
            return comparable.filter(piece -> piece.getKeys().equals(interval));
        }
        crash.reached(BackupPoint.ROWS_TAKEN);
        ByteString id = chunks.finish();
        crash.reached(BackupPoint.PIECE_PUT);
        return Optional.of(
                PieceReference.newBuilder()
                        .setId(id)
                        .setKeys(interval)
                        .setRangeId(sent.header().getRange().getRangeId())
                        .setAppliedTerm(sent.header().getAppliedTerm())
                        .setAppliedIndex(sent.header().getAppliedIndex())
                        .setAppliedCommands(sent.header().getAppliedCommands())
                        .setLogTimeTicks(sent.header().getLogTimeTicks())
                        .setRows(chunks.rows())
                        .setBytes(chunks.bytes())
                        .build());
    }

    /** Reads the current rows of an interval, which are not part of the backup. */
    private void readAll(KeyRange keys, RangeStream.RowTaker taker) throws IOException {
        Rows.readAll(cluster, rows, patience, keys, taker);
    }
}
