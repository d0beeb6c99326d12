package io.parterre.server;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.proto.manager.ChangeMembers;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.LeadCertainty;
import io.parterre.proto.manager.MergeRanges;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.QuarantineReplica;
import io.parterre.proto.manager.RefusedMerge;
import io.parterre.proto.manager.RefusedSplit;
import io.parterre.proto.manager.RemoveReplica;
import io.parterre.proto.manager.SplitRange;
import io.parterre.proto.manager.TransferLead;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.UnknownFields;
import io.parterre.server.apply.HostedRangeCodec;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.change.SplitOrder;
import io.parterre.server.lead.LedRanges;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.metrics.PartitionServerMetrics.OrderEnd;
import io.parterre.server.node.Replicas;
import io.parterre.server.quarantine.QuarantineReason;
import io.parterre.server.raft.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a manager's orders, and continues work that was cut short, on a thread of its own.
 * Orders wait for the disk and for Raft, up to a minute, and the node has to report meanwhile.
 * Holds the orders of one answer at most. Safe for any thread.
 */
final class OrderWorker implements OrderTaker {
    private static final Logger LOG = LoggerFactory.getLogger(OrderWorker.class);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

    private final Replicas replicas;
    private final PartitionServerMetrics metrics;
    private final Runnable onChange;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(DaemonThreads.named("partition-orders"));
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicBoolean passed = new AtomicBoolean();
    private volatile List<RefusedSplit> refused = List.of();
    private volatile List<RefusedMerge> refusedMerges = List.of();
    // Both confined to the thread.
    private final List<RefusedSplit> refusing = new ArrayList<>();
    private final List<RefusedMerge> refusingMerges = new ArrayList<>();

    /**
     * Makes a worker.
     *
     * @param onChange runs when orders have been carried out and the change has to be reported
     */
    OrderWorker(Replicas replicas, PartitionServerMetrics metrics, Runnable onChange) {
        this.replicas = replicas;
        this.metrics = metrics;
        this.onChange = onChange;
    }

    @Override
    public boolean isIdle() {
        return !busy.get();
    }

    @Override
    public void take(HeartbeatResponse answer, Set<RangeId> told) {
        if (!answer.getClusterId().isEmpty()) {
            replicas.confirmation()
                    .answered(
                            answer.getGivenUpRangesList().stream().map(RangeId::new).toList(),
                            answer.getRegressedRangesList().stream()
                                    .map(RangeId::new)
                                    .collect(Collectors.toSet()),
                            told,
                            // Managers of releases before this field are taken to be certain.
                            answer.getCertainty() != LeadCertainty.NOT_ASKED_FOR);
        }
        List<Order> orders = answer.getOrdersList();
        if (!busy.compareAndSet(false, true)) {
            pass(answer);
            return;
        }
        try {
            thread.execute(() -> run(orders));
        } catch (RejectedExecutionException closing) {
            LOG.debug("orders not taken: the node is closing", closing);
        }
    }

    @Override
    public void pass(HeartbeatResponse answer) {
        if (answer.getOrdersCount() > 0) {
            passed.set(true);
        }
    }

    private void run(List<Order> orders) {
        boolean changed = false;
        passed.set(false);
        refusing.clear();
        refusingMerges.clear();
        try {
            mend();
            for (Order order : orders) {
                changed |= counted(order);
            }
        } finally {
            // Reported once only, because the order comes again with each answer.
            changed |= !refused.equals(refusing);
            refused = List.copyOf(refusing);
            changed |= !refusedMerges.equals(refusingMerges);
            refusedMerges = List.copyOf(refusingMerges);
            busy.set(false);
        }
        if (passed.getAndSet(false) || changed) {
            onChange.run();
        }
    }

    private void mend() {
        try {
            replicas.upkeep().mend();
        } catch (RuntimeException failure) {
            LOG.warn("replicas not mended", failure);
        }
    }

    /**
     * Carries out an order and counts the result. Returns whether the change has to be reported at
     * once.
     */
    private boolean counted(Order order) {
        int refusals = refusing.size() + refusingMerges.size();
        try {
            boolean changed = carryOut(order);
            boolean refusal = refusing.size() + refusingMerges.size() > refusals;
            metrics.ordered(order.getOrderCase(), refusal ? OrderEnd.REFUSED : OrderEnd.DONE);
            return changed;
        } catch (IOException | RuntimeException failure) {
            metrics.ordered(order.getOrderCase(), OrderEnd.FAILED);
            if (thread.isShutdown()) {
                LOG.debug("order cut short at close order={}", order.getOrderCase(), failure);
            } else {
                // The manager repeats an order whose effect the report does not show.
                LOG.warn("order not carried out order={}", order.getOrderCase(), failure);
            }
            return false;
        }
    }

    private boolean carryOut(Order order) throws IOException {
        // Without its unknown fields the order would be another order.
        UnknownFields.refuse("order", order);
        return switch (order.getOrderCase()) {
            case HOST_REPLICA -> {
                replicas.membership()
                        .host(
                                HostedRangeCodec.fromProto(
                                        order.getHostReplica().getRange(),
                                        order.getHostReplica().getMembersList()));
                yield true;
            }
            case JOIN_REPLICA ->
                    replicas.membership()
                            .join(
                                    HostedRangeCodec.fromProto(
                                            order.getJoinReplica().getRange(),
                                            order.getJoinReplica().getMembersList()));
            case CHANGE_MEMBERS -> {
                changeMembers(order.getChangeMembers());
                yield false;
            }
            case TRANSFER_LEAD -> {
                transferLeadership(order.getTransferLead());
                yield false;
            }
            case SPLIT_RANGE -> {
                split(order.getSplitRange());
                yield false;
            }
            case MERGE_RANGES -> {
                merge(order.getMergeRanges());
                yield false;
            }
            case THAW_RANGE -> {
                led(
                        order.getThawRange().getRangeId(),
                        (replica, led) ->
                                led.thaw(
                                        replica,
                                        new Generation(order.getThawRange().getGeneration())));
                yield false;
            }
            case REMOVE_REPLICA -> {
                RemoveReplica removal = order.getRemoveReplica();
                yield replicas.membership()
                        .remove(
                                new RangeId(removal.getRangeId()),
                                new Generation(removal.getGeneration()));
            }
            case QUARANTINE_REPLICA ->
                    replicas.quarantine()
                            .quarantine(
                                    new RangeId(order.getQuarantineReplica().getRangeId()),
                                    new Generation(order.getQuarantineReplica().getGeneration()),
                                    reason(order.getQuarantineReplica()));
            case RECOVER_RANGE ->
                    replicas.recovery()
                            .recover(
                                    new RangeId(order.getRecoverRange().getLostRangeId()),
                                    HostedRangeCodec.fromProto(
                                            order.getRecoverRange().getRange(),
                                            order.getRecoverRange().getMembersList()));
            // The order was meant for a store that was discarded meanwhile.
            case REBUILD_STORE -> false;
            case ORDER_NOT_SET -> {
                LOG.warn("order of unknown kind: newer manager?");
                yield false;
            }
        };
    }

    private static QuarantineReason reason(QuarantineReplica quarantine) {
        return quarantine.getDiffersAt() > 0
                ? new QuarantineReason.Differs(quarantine.getDiffersAt())
                : new QuarantineReason.Regressed(quarantine.getAcknowledgedIndex());
    }

    private void changeMembers(ChangeMembers change) throws IOException {
        led(
                change.getRangeId(),
                (replica, led) ->
                        led.changeMembers(
                                replica,
                                new Generation(change.getGeneration()),
                                change.getMembersList().stream()
                                        .map(HostedRangeCodec::member)
                                        .toList()));
    }

    private void transferLeadership(TransferLead transfer) throws IOException {
        led(
                transfer.getRangeId(),
                (replica, led) ->
                        led.transferLeadership(
                                replica,
                                new Generation(transfer.getGeneration()),
                                new NodeId(transfer.getNodeId())));
    }

    private void split(SplitRange message) throws IOException {
        SplitOrder order = SplitOrderCodec.fromProto(message);
        led(
                message.getRangeId(),
                (replica, led) -> {
                    Optional<SplitOrder.Verdict> verdict =
                            led.split(
                                    replica,
                                    order,
                                    order.childIds().stream()
                                            .flatMap(id -> replicas.find(id).stream())
                                            .map(Replica::descriptor)
                                            .toList());
                    verdict.filter(SplitOrder.Verdict::isRefusal)
                            .ifPresent(
                                    refusal ->
                                            refusing.add(
                                                    SplitOrderCodec.refused(message, refusal)));
                });
    }

    private void merge(MergeRanges message) throws IOException {
        MergeOrder order = MergeOrderCodec.fromProto(message);
        led(
                message.getLeftRangeId(),
                (left, led) ->
                        led.merge(left, order, replicas.find(order.rightId()))
                                .filter(MergeOrder.Verdict::isRefusal)
                                .ifPresent(
                                        refusal ->
                                                refusingMerges.add(
                                                        MergeOrderCodec.refused(
                                                                message, refusal))));
    }

    private interface LedWork {
        void run(Replica replica, LedRanges led) throws IOException;
    }

    private void led(long rangeId, LedWork work) throws IOException {
        Optional<Replica> replica = replicas.find(new RangeId(rangeId));
        Optional<LedRanges> led = replicas.led();
        if (replica.isPresent() && led.isPresent()) {
            work.run(replica.get(), led.get());
        }
    }

    @Override
    public List<RefusedSplit> refusedSplits() {
        return refused;
    }

    @Override
    public List<RefusedMerge> refusedMerges() {
        return refusedMerges;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        if (!DaemonThreads.awaitEnd(thread, CLOSE_WAIT)) {
            LOG.warn("an order still runs at close");
        }
    }
}
