package io.parterre.deploy.backup;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.crash.CrashHook;
import io.parterre.deploy.client.Pace;
import io.parterre.proto.backup.ArchiveHead;
import io.parterre.proto.backup.RangeClaim;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Copies changes of ranges from the nodes that have recorded them to an archive, round by round.
 * All state is in the archive, so another run can continue one that ended anywhere. Nodes drop
 * records only when told that the archive has them. Confined to one thread, which blocks.
 */
public final class ArchiveRun {
    /** Most bytes of one range at a time; further changes follow in the next round. */
    private static final long SECTION_BYTES = 4 << 20;

    private static final long PART_BYTES = 16 << 20;

    /**
     * Rate at which claims are written: more ranges lengthen the pause between parts with all
     * claims.
     */
    private static final int CLAIMS_PER_SECOND = 1_000;

    /**
     * Number of rounds without changes between two parts that say so, and between two queries of
     * the managers.
     */
    private static final int IDLE_TIMES = 3;

    private static final Duration RETRY_PAUSE = Duration.ofSeconds(5);

    private final ClusterAccess cluster;
    private final ArchiveParts parts;
    private final RecordingServers servers;
    private final ArchiveOptions options;
    private final InstantSource clock;
    private final CrashHook<ArchivePoint> crash;
    private final Consumer<String> told;
    private final ChangeStream changes;
    private final Map<Long, Long> positions = new HashMap<>();
    private final ArchiveClaims claims = new ArchiveClaims();
    private Set<Long> live = Set.of();
    private List<ClusterAccess.Server> known = List.of();
    private long lookedMillis;
    private long archivedMillis;
    private long completeMillis = Long.MIN_VALUE;

    /**
     * Creates a run that continues from the archive's state.
     *
     * @param told receives progress messages for operators
     * @throws BackupException if the archive is another cluster's, or damaged
     */
    public ArchiveRun(
            ClusterAccess cluster,
            Repository repository,
            RowAccess access,
            ArchiveOptions options,
            InstantSource clock,
            CrashHook<ArchivePoint> crash,
            Consumer<String> told)
            throws IOException {
        this.cluster = cluster;
        this.parts = new ArchiveParts(repository);
        this.options = options;
        this.clock = clock;
        this.crash = crash;
        this.told = told;
        this.changes = new ChangeStream(access.token(), new Pace(options.bytesPerSecond()));
        this.servers =
                new RecordingServers(
                        parts.identity(cluster.clusterId()), access.token(), options, clock);
        resume();
    }

    /** Reads the positions from the newest part that names all ranges, and from later ones. */
    private void resume() throws IOException {
        List<String> names = parts.parts();
        int from = names.size() - 1;
        while (from > 0 && !ArchiveParts.isComplete(names.get(from))) {
            from--;
        }
        // Another run may have made parts at the same time, by another clock.
        int first = Math.max(0, from - 1);
        parts.heads(names.subList(names.isEmpty() ? 0 : first, names.size()))
                .values()
                .forEach(
                        head -> {
                            head.getClaimsList()
                                    .forEach(each -> stands(each.getRangeId(), each.getIndex()));
                            head.getSectionsList()
                                    .forEach(
                                            each -> stands(each.getRangeId(), each.getLastIndex()));
                        });
    }

    private void stands(long rangeId, long index) {
        positions.merge(rangeId, index, Math::max);
    }

    /**
     * Returns a time up to which everything acknowledged is in the archive, or is older than the
     * archive; 1970 if it is not known yet.
     */
    public Instant archivedUntil() {
        return Instant.ofEpochMilli(archivedMillis);
    }

    /** Returns the cluster whose changes are archived. */
    public String clusterId() {
        return servers.clusterId();
    }

    /**
     * Runs rounds until the thread is interrupted, or until a refusal that retries cannot help.
     * Other failures, such as a store that does not answer, are retried.
     *
     * @param passing tests whether an exception from the managers is transient
     */
    public void run(Predicate<RuntimeException> passing) throws IOException {
        boolean troubled = false;
        while (!Thread.currentThread().isInterrupted()) {
            boolean more = false;
            try {
                more = round();
                if (troubled) {
                    told.accept("the archive goes on, up to " + archivedUntil());
                }
                troubled = false;
            } catch (IOException failure) {
                if (failure instanceof InterruptedIOException
                        || failure instanceof BackupException known && !known.isDamaged()) {
                    throw failure;
                }
                troubled = true;
                told.accept("tried again: " + failure.getMessage());
            } catch (RuntimeException failure) {
                if (!(failure instanceof StatusRuntimeException) && !passing.test(failure)) {
                    throw failure;
                }
                troubled = true;
                told.accept("the cluster does not answer: " + failure.getMessage());
            }
            if (!more) {
                pause(troubled ? RETRY_PAUSE : options.interval());
            }
        }
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes nodes stop recording and drop their records. */
    public void stop() throws IOException {
        servers.stop(cluster.servers());
    }

    /**
     * Asks the managers, but not in each round, because what a new server has other members have
     * too.
     */
    private void look() {
        long now = clock.millis();
        if (known.isEmpty() || now - lookedMillis >= IDLE_TIMES * options.interval().toMillis()) {
            live = cluster.rangeIds();
            known = cluster.servers();
            lookedMillis = now;
        }
    }

    /**
     * Archives the changes available now.
     *
     * @return whether more changes are available already
     */
    public boolean round() throws IOException {
        look();
        Map<String, ManagedChannel> channels = new HashMap<>();
        known.forEach(each -> channels.put(each.nodeId(), each.channel()));
        RecordingServers.Heard heard = servers.hear(known, positions, archivedMillis);
        crash.reached(ArchivePoint.TOLD);
        ArchivePlan plan = ArchivePlan.of(positions, heard.ranges(), heard.all());
        plan.lost()
                .forEach(
                        each ->
                                told.accept(
                                        "changes of range "
                                                + each.rangeId()
                                                + " are lost, entries "
                                                + (each.afterIndex() + 1)
                                                + " to "
                                                + each.upToIndex()
                                                + ": make a backup, times since the last one and"
                                                + " before that cannot be restored"));
        positions.putAll(plan.positions());
        boolean more = false;
        List<SectionWriter.Written> sections = new ArrayList<>();
        long bytes = 0;
        for (int at = 0; at < plan.reads().size(); at += options.parallel()) {
            int end = Math.min(plan.reads().size(), at + options.parallel());
            for (Taken taken : taken(plan.reads().subList(at, end), channels)) {
                more |= taken.more();
                sections.addAll(taken.sections());
                for (SectionWriter.Written each : taken.sections()) {
                    bytes += each.data().getSerializedSize();
                }
            }
            if (bytes >= PART_BYTES) {
                put(sections, List.of(), false);
                sections = new ArrayList<>();
                bytes = 0;
            }
        }
        crash.reached(ArchivePoint.CHANGES_READ);
        close(sections, heard.ranges());
        return more;
    }

    /** Ends a round by writing what is known to be complete by now. */
    private void close(List<SectionWriter.Written> sections, List<ArchivePlan.Told> heard)
            throws IOException {
        Map<Long, Long> reached = new HashMap<>(positions);
        sections.forEach(
                each ->
                        reached.merge(
                                each.head().getRangeId(), each.head().getLastIndex(), Math::max));
        claims.hear(heard, reached);
        long now = clock.millis();
        long pauseMillis =
                Math.max(
                        (sections.isEmpty() ? IDLE_TIMES : 0) * options.interval().toMillis(),
                        1_000L * reached.size() / CLAIMS_PER_SECOND);
        boolean complete = completeMillis == Long.MIN_VALUE || now - completeMillis >= pauseMillis;
        if (!sections.isEmpty() || complete && !reached.isEmpty()) {
            put(sections, complete ? claims.all(reached) : List.of(), complete);
        }
        if (complete) {
            completeMillis = now;
            archivedMillis = Math.max(archivedMillis, claims.completeMillis(live));
        }
        List<Long> ended = ArchivePlan.ended(positions, heard);
        ended.removeAll(live);
        ended.forEach(positions::remove);
    }

    private void put(List<SectionWriter.Written> sections, List<RangeClaim> known, boolean complete)
            throws IOException {
        long now = clock.millis();
        String part = ArchiveParts.name(now, complete);
        ArchiveHead.Builder head =
                ArchiveHead.newBuilder()
                        .setVersion(Repository.VERSION)
                        .setMadeMillis(now)
                        .addAllSections(parts.putData(part, sections))
                        .addAllClaims(known)
                        .setComplete(complete);
        crash.reached(ArchivePoint.DATA_PUT);
        parts.putHead(part, head.build());
        crash.reached(ArchivePoint.HEAD_PUT);
        sections.forEach(each -> stands(each.head().getRangeId(), each.head().getLastIndex()));
    }

    /**
     * Changes read from a range.
     *
     * @param more whether more changes are available already
     */
    private record Taken(List<SectionWriter.Written> sections, boolean more) {}

    private List<Taken> taken(List<ArchivePlan.Read> reads, Map<String, ManagedChannel> channels)
            throws IOException {
        Taken[] taken = new Taken[reads.size()];
        Workers.each(
                IntStream.range(0, taken.length).boxed().toList(),
                options.parallel(),
                at -> {
                    ArchivePlan.Read read = reads.get(at);
                    taken[at] = taken(read, channels.get(read.nodeId()));
                });
        return List.of(taken);
    }

    private Taken taken(ArchivePlan.Read read, ManagedChannel node) throws IOException {
        try {
            ChangeStream.Sent sent =
                    changes.read(node, read.rangeId(), read.afterIndex(), SECTION_BYTES);
            return sent.lastIndex() <= read.afterIndex()
                    ? new Taken(List.of(), false)
                    : new Taken(
                            SectionWriter.sections(
                                    read.rangeId(),
                                    read.afterIndex(),
                                    sent.lastIndex(),
                                    sent.records()),
                            sent.more());
        } catch (StatusRuntimeException failure) {
            RecordingServers.requirePossible(failure.getStatus());
            return new Taken(
                    List.of(), failure.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED);
        }
    }
}
