package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.error.BusyReason;
import io.parterre.key.Key;
import io.parterre.proto.range.RangeRequest;
import io.parterre.quota.Rate;
import io.parterre.range.RangeId;
import io.parterre.server.load.Fill;
import io.parterre.server.load.HeldPartition;
import io.parterre.server.load.HeldPartitions;
import io.parterre.server.load.RangeAdmission;
import io.parterre.server.load.RangeCap;
import io.parterre.server.load.RequestKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Keeps the requests under way of each range at this node within the range's cap. Refuses the
 * requests that cause the excess. Safe for any thread; nothing waits.
 */
final class RangeCaps {
    private static final double BURST_SECONDS = 1;

    private final Map<RequestKind, RangeCap> caps = new EnumMap<>(RequestKind.class);
    private final int hotPermille;
    private final Optional<Rate> partitionRate;
    private final LongSupplier nanoTicker;
    private final Map<RangeId, Traffic> ranges = new ConcurrentHashMap<>();

    RangeCaps(RangeCapsConfig config, LongSupplier nanoTicker) {
        caps.put(RequestKind.POINT_READ, cap(config, config.pointReadsMax()));
        caps.put(RequestKind.SCAN, cap(config, config.scansMax()));
        caps.put(RequestKind.COMMAND, cap(config, config.commandsMax()));
        this.hotPermille = config.hotPartitionPercent() * 10;
        this.partitionRate =
                config.partitionOperationsPerSecondMax() == 0
                        ? Optional.empty()
                        : Optional.of(
                                Rate.of(config.partitionOperationsPerSecondMax(), BURST_SECONDS));
        this.nanoTicker = nanoTicker;
    }

    private static RangeCap cap(RangeCapsConfig config, int requestsMax) {
        return new RangeCap(requestsMax, config.bytesMax(), config.waitMax());
    }

    /** Requests under way in one range. */
    private static final class Traffic {
        final HeldPartitions partitions;
        final RangeGauge pointReads = new RangeGauge();
        final RangeGauge scans = new RangeGauge();
        final RangeGauge commands = new RangeGauge();

        /** Number of requests under way, for each account that has any. */
        final Map<ByteString, Integer> accounts = new ConcurrentHashMap<>();

        Traffic(long nowNanos) {
            partitions =
                    new HeldPartitions(
                            bound -> ThreadLocalRandom.current().nextInt(bound), nowNanos);
        }

        void underWay(ByteString account, int more) {
            accounts.merge(
                    account, more, (held, change) -> held + change == 0 ? null : held + change);
        }

        /**
         * Returns whether this account has fewer requests under way than the accounts have on
         * average.
         */
        boolean isModest(ByteString account) {
            long all = accounts.values().stream().mapToLong(Integer::intValue).sum();
            return (long) accounts.getOrDefault(account, 0) * accounts.size() < all;
        }

        RangeGauge gauge(RequestKind kind) {
            return switch (kind) {
                case POINT_READ -> pointReads;
                case SCAN -> scans;
                case COMMAND -> commands;
            };
        }
    }

    /**
     * Admits a call and counts it until its answer, or returns the reason for a refusal. A refused
     * call still has to be answered.
     */
    Optional<BusyReason> admit(Call call, RangeId rangeId) {
        RangeRequest request = call.request();
        RequestKind kind = kind(request);
        long now = nanoTicker.getAsLong();
        Traffic traffic = traffic(rangeId, now);
        Optional<BusyReason> refusal = refusal(request, kind, traffic, now);
        if (refusal.isEmpty()) {
            RangeGauge gauge = traffic.gauge(kind);
            int sizeBytes = request.getSerializedSize();
            ByteString account = KeysAsked.account(request);
            gauge.take(sizeBytes);
            traffic.underWay(account, 1);
            call.onAnswer(
                    () -> {
                        gauge.giveBack(sizeBytes, nanoTicker.getAsLong() - now);
                        traffic.underWay(account, -1);
                    });
        }
        return refusal;
    }

    private Traffic traffic(RangeId rangeId, long now) {
        Traffic known = ranges.get(rangeId);
        return known != null ? known : ranges.computeIfAbsent(rangeId, any -> new Traffic(now));
    }

    private static RequestKind kind(RangeRequest request) {
        return switch (request.getBodyCase()) {
            case READ_ROW -> RequestKind.POINT_READ;
            case SCAN -> RequestKind.SCAN;
            case COMMAND -> RequestKind.COMMAND;
            case BODY_NOT_SET -> throw new IllegalArgumentException("request: of unknown kind");
        };
    }

    private Optional<BusyReason> refusal(
            RangeRequest request, RequestKind kind, Traffic traffic, long now) {
        int operations = Math.max(1, request.getCommand().getWriteEntities().getOperationsCount());
        Optional<Key> partition = AskedPartition.of(request);
        if (partition.isEmpty()) {
            traffic.partitions.askNone(operations, now);
        }
        Optional<HeldPartition> held =
                partition.flatMap(key -> traffic.partitions.ask(key, operations, now));
        Fill own = fill(traffic, kind);
        Fill worst = kind == RequestKind.SCAN ? worst(traffic) : own;
        boolean hot =
                worst != Fill.WITHIN
                        && held.filter(each -> traffic.partitions.permille(each) >= hotPermille)
                                .isPresent();
        boolean spent =
                partitionRate.isPresent()
                        && held.filter(each -> !each.take(operations, partitionRate.get(), now))
                                .isPresent();
        boolean anyHot =
                kind == RequestKind.SCAN
                        && worst != Fill.WITHIN
                        && traffic.partitions.isAny(hotPermille);
        boolean modest =
                kind == RequestKind.SCAN
                        && worst != Fill.WITHIN
                        && traffic.isModest(KeysAsked.account(request));
        return RangeAdmission.refusal(kind, own, worst, hot, anyHot, modest, spent);
    }

    private Fill fill(Traffic traffic, RequestKind kind) {
        return caps.get(kind).fill(traffic.gauge(kind).usage());
    }

    private Fill worst(Traffic traffic) {
        Fill worst = Fill.WITHIN;
        for (RequestKind kind : RequestKind.values()) {
            Fill each = fill(traffic, kind);
            worst = each.compareTo(worst) > 0 ? each : worst;
        }
        return worst;
    }

    /** Drops the state of ranges that have no replica here any more. */
    void retain(Predicate<RangeId> here) {
        ranges.keySet().removeIf(rangeId -> !here.test(rangeId));
    }

    int size() {
        return ranges.size();
    }
}
