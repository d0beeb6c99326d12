package io.parterre.server.rpc;

import io.parterre.entity.EntityView;
import io.parterre.entity.Projection;
import io.parterre.filter.Filter;
import io.parterre.filter.FilterCodec;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.KeySpace;
import io.parterre.key.Scope;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.ReadRow;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.query.Scan;
import io.parterre.server.query.ScanBudget;
import io.parterre.server.query.ScanResult;
import io.parterre.server.raft.Replica;
import io.parterre.server.replica.KeysHeld;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reads rows of a range whose gate is open. Blocks for the disk. A read whose scope was fenced
 * before the rows were opened is refused. A fence shows before its effect on the rows, so a check
 * after opening never takes emptied rows for the truth. The check that the range still has the keys
 * also comes after opening: rows opened before a split are valid, rows opened after it may be
 * behind those of the range that has the keys now. Safe for any thread.
 */
final class RangeReads {
    private final Replicas replicas;
    private final ServerStore store;
    private final ScanBudget limits;
    private final LongSupplier nanoTicker;
    private final PartitionServerMetrics metrics;

    RangeReads(
            Replicas replicas,
            ServerStore store,
            RpcConfig config,
            LongSupplier nanoTicker,
            PartitionServerMetrics metrics) {
        this.replicas = replicas;
        this.store = store;
        this.limits =
                new ScanBudget(
                        Integer.MAX_VALUE,
                        config.scanBytesMax(),
                        Integer.MAX_VALUE,
                        config.scanTimeMax());
        this.nanoTicker = nanoTicker;
        this.metrics = metrics;
    }

    /** Reads one row; empty: the key may be about to move to another range. */
    Optional<RangeResponse.Builder> readRow(ReadRow read, Replica replica) {
        Key key = Key.wrap(read.getKey().toByteArray());
        Scope scope = KeyCodec.scopeOf(key);
        Optional<byte[]> value = store.get(key.unsafeBytes());
        KeysHeld held = replica.reads().holds(KeyRange.ofKey(key));
        if (held != KeysHeld.HELD) {
            return instead(replica, KeyRange.ofKey(key), held);
        }
        if (replica.rows().isFenced(key.prefix(Scope.LENGTH_BYTES))) {
            return Optional.of(RangeAnswers.scopeFenced());
        }
        if (read.hasProjection() && scope.space() == KeySpace.ENTITY) {
            Projection projection = new Projection(read.getProjection().getNamesList());
            value = value.map(bytes -> projection.apply(EntityView.of(key, bytes)));
        }
        return Optional.of(RangeAnswers.row(value));
    }

    private Optional<RangeResponse.Builder> instead(Replica replica, KeyRange keys, KeysHeld held) {
        return held == KeysHeld.PENDING
                ? Optional.empty()
                : Optional.of(
                        RangeAnswers.staleRange(
                                replicas.registry()
                                        .descriptorsForRedirect(
                                                replica.descriptor().rangeId(), keys)));
    }

    /** Reads a page; empty: some of the keys may be about to move to another range. */
    Optional<RangeResponse.Builder> scan(io.parterre.proto.range.Scan request, Replica replica) {
        KeyRange interval = KeysAsked.ofScan(request);
        Scope scope = KeyCodec.scopeOf(interval.start());
        Key scopeKey = interval.start().prefix(Scope.LENGTH_BYTES);
        if (!KeyRange.ofPrefix(scopeKey).contains(interval)) {
            throw new IllegalArgumentException("scan: of several scopes (expected: one)");
        }
        Scan scan = prepare(request, scope);
        try (StoreCursor rows = store.scan(interval)) {
            KeysHeld held = replica.reads().holds(interval);
            if (held != KeysHeld.HELD) {
                return instead(replica, interval, held);
            }
            if (replica.rows().isFenced(scopeKey)) {
                return Optional.of(RangeAnswers.scopeFenced());
            }
            ScanResult result = scan.run(rows);
            metrics.scanned(result.examinedRows(), result.rowCount());
            return Optional.of(RangeAnswers.page(result));
        }
    }

    private Scan prepare(io.parterre.proto.range.Scan request, Scope scope) {
        ScanBudget budget =
                ScanBudget.within(
                        limits,
                        request.getBudget().getRowsMax(),
                        request.getBudget().getBytesMax(),
                        request.getBudget().getExaminedRowsMax(),
                        request.getBudget().getTimeMillisMax());
        if (scope.space() == KeySpace.ENTITY) {
            Optional<Filter> filter =
                    request.getFilter().isEmpty()
                            ? Optional.empty()
                            : Optional.of(FilterCodec.decode(request.getFilter().toByteArray()));
            Optional<List<String>> select =
                    request.hasProjection()
                            ? Optional.of(request.getProjection().getNamesList())
                            : Optional.empty();
            return Scan.ofEntities(filter, select, budget, nanoTicker);
        }
        if (!request.getFilter().isEmpty()) {
            throw new IllegalArgumentException("scan: filter on rows of space " + scope.space());
        }
        return Scan.ofRows(budget, nanoTicker);
    }
}
