package io.parterre.deploy.backup;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.proto.backup.ArchiveIdentity;
import io.parterre.proto.node.ArchivedRange;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.RecordChangesRequest;
import io.parterre.proto.node.RecordChangesResponse;
import io.parterre.proto.node.RecordedRange;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Servers that record changes for an archive for as long as it asks them. Confined to one thread,
 * which blocks.
 */
final class RecordingServers {
    private static final long CALL_SECONDS_MAX = 10;
    private static final int MESSAGE_BYTES_MAX = 64 << 20;

    private final ArchiveIdentity identity;
    private final UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token;
    private final ArchiveOptions options;
    private final InstantSource clock;
    private Map<String, List<ArchivePlan.Told>> toldBefore = Map.of();
    private long unheardSinceMillis = Long.MAX_VALUE;

    RecordingServers(
            ArchiveIdentity identity,
            UnaryOperator<NodeServiceGrpc.NodeServiceBlockingStub> token,
            ArchiveOptions options,
            InstantSource clock) {
        this.identity = identity;
        this.token = token;
        this.options = options;
        this.clock = clock;
    }

    /**
     * What servers have told.
     *
     * @param all whether no other server may have more records
     */
    record Heard(List<ArchivePlan.Told> ranges, boolean all) {}

    String clusterId() {
        return identity.getClusterId();
    }

    /** Makes all servers stop recording. */
    void stop(List<ClusterAccess.Server> servers) throws IOException {
        RecordChangesRequest request =
                RecordChangesRequest.newBuilder()
                        .setArchiveId(identity.getArchiveId())
                        .setStop(true)
                        .build();
        List<String> silent = new ArrayList<>();
        for (ClusterAccess.Server each : servers) {
            if (each.live() && ask(each.channel(), request).isEmpty()) {
                silent.add(each.nodeId());
            }
        }
        if (!silent.isEmpty()) {
            throw BackupException.refused(
                    "servers that do not answer: "
                            + silent
                            + " (expected: none; they end when"
                            + " their time is over)");
        }
    }

    /**
     * Tells each server what the archive has, and asks for available records.
     *
     * @param positions last entry of each range in the archive
     * @param archivedMillis time up to which everything is in the archive; 0 if unknown
     */
    Heard hear(List<ClusterAccess.Server> servers, Map<Long, Long> positions, long archivedMillis)
            throws IOException {
        RecordChangesRequest.Builder request =
                RecordChangesRequest.newBuilder()
                        .setArchiveId(identity.getArchiveId())
                        .setLeaseMillis(options.lease().toMillis())
                        .setBytesMax(options.serverBytesMax())
                        .setArchivedMillis(archivedMillis);
        Map<String, List<ArchivePlan.Told>> answers = new ConcurrentHashMap<>();
        List<ClusterAccess.Server> live =
                servers.stream().filter(ClusterAccess.Server::live).toList();
        Workers.each(
                live,
                options.parallel(),
                each ->
                        ask(
                                        each.channel(),
                                        request.clone()
                                                .addAllArchived(archived(each.nodeId(), positions))
                                                .build())
                                .ifPresent(
                                        answer ->
                                                answers.put(
                                                        each.nodeId(),
                                                        told(each.nodeId(), answer))));
        toldBefore = Map.copyOf(answers);
        return new Heard(
                answers.values().stream().flatMap(List::stream).toList(), allHeard(servers));
    }

    /**
     * Returns the positions that a server is told, for those ranges of which it had told records.
     */
    private List<ArchivedRange> archived(String nodeId, Map<Long, Long> positions) {
        List<ArchivedRange> archived = new ArrayList<>();
        for (ArchivePlan.Told each : toldBefore.getOrDefault(nodeId, List.of())) {
            Long position = positions.get(each.rangeId());
            if (position != null
                    && each.recordedAfter().isPresent()
                    && each.recordedAfter().getAsLong() < position) {
                archived.add(
                        ArchivedRange.newBuilder()
                                .setRangeId(each.rangeId())
                                .setIndex(position)
                                .build());
            }
        }
        return archived;
    }

    private static List<ArchivePlan.Told> told(String nodeId, RecordChangesResponse answer) {
        List<ArchivePlan.Told> ranges = new ArrayList<>();
        for (RecordedRange each : answer.getRangesList()) {
            ranges.add(
                    new ArchivePlan.Told(
                            nodeId,
                            each.getRangeId(),
                            each.getRecorded()
                                    ? OptionalLong.of(each.getRecordedAfter())
                                    : OptionalLong.empty(),
                            each.getAppliedIndex(),
                            each.getCompleteTicks() != 0
                                    ? OptionalLong.of(each.getCompleteTicks())
                                    : OptionalLong.empty()));
        }
        return ranges;
    }

    /**
     * Returns whether all servers have answered. A server that is down may have records that others
     * lack, but is not waited for forever.
     */
    private boolean allHeard(List<ClusterAccess.Server> servers) {
        long now = clock.millis();
        boolean all =
                !toldBefore.isEmpty()
                        && servers.stream().allMatch(each -> toldBefore.containsKey(each.nodeId()));
        unheardSinceMillis = all ? Long.MAX_VALUE : Math.min(unheardSinceMillis, now);
        return all || now - unheardSinceMillis > options.patience().toMillis();
    }

    private Optional<RecordChangesResponse> ask(ManagedChannel node, RecordChangesRequest request)
            throws IOException {
        try {
            return Optional.of(
                    token.apply(NodeServiceGrpc.newBlockingStub(node))
                            .withMaxInboundMessageSize(MESSAGE_BYTES_MAX)
                            .withDeadlineAfter(CALL_SECONDS_MAX, TimeUnit.SECONDS)
                            .recordChanges(request));
        } catch (StatusRuntimeException failure) {
            requirePossible(failure.getStatus());
            return Optional.empty();
        }
    }

    /** Throws for failures that no retry can overcome. */
    static void requirePossible(Status status) throws BackupException {
        switch (status.getCode()) {
            case PERMISSION_DENIED,
                    UNAUTHENTICATED,
                    UNIMPLEMENTED,
                    INVALID_ARGUMENT,
                    FAILED_PRECONDITION ->
                    throw BackupException.refused(status.getCode() + " " + status.getDescription());
            default -> {}
        }
    }
}
