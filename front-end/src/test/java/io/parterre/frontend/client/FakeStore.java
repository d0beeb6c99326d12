package io.parterre.frontend.client;

import com.google.protobuf.ByteString;
import io.parterre.directory.AccessPolicy;
import io.parterre.directory.AccessPolicyCodec;
import io.parterre.directory.ServiceProperties;
import io.parterre.directory.ServicePropertiesCodec;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.entity.ByteSink;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityView;
import io.parterre.entity.Projection;
import io.parterre.error.ErrorCode;
import io.parterre.filter.EntityPredicate;
import io.parterre.filter.Filter;
import io.parterre.filter.FilterCodec;
import io.parterre.key.Key;
import io.parterre.key.ObjectId;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.Fenced;
import io.parterre.proto.range.Outcome;
import io.parterre.proto.range.PropertiesChanged;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.Rejected;
import io.parterre.proto.range.Row;
import io.parterre.proto.range.Scan;
import io.parterre.proto.range.ScanPage;
import io.parterre.proto.range.ScopeFenced;
import io.parterre.proto.range.TableChanged;
import io.parterre.proto.range.Written;
import io.parterre.range.RangeDescriptor;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What partition servers keep, in memory and for the whole cluster: rows, fences by range, outcomes
 * by sequence. Knows what the front end needs and no more.
 */
final class FakeStore {
    private final TreeMap<Key, byte[]> rows = new TreeMap<>();
    private final Set<String> fences = new HashSet<>();
    private final Map<String, RangeResponse> outcomes = new HashMap<>();
    private long ticks = 1_000;
    private int applied;
    private long examinedRows;

    /** Rows a scan looks at before it ends by itself. */
    private int examinedMax = Integer.MAX_VALUE;

    synchronized RangeResponse serve(RangeDescriptor range, RangeRequest request) {
        RangeResponse.Builder answer =
                RangeResponse.newBuilder().setRequestId(request.getRequestId());
        return switch (request.getBodyCase()) {
            case READ_ROW -> read(range, request, answer);
            case SCAN -> scan(range, request.getScan(), answer);
            case COMMAND -> once(range, request, answer);
            case BODY_NOT_SET -> throw new IllegalArgumentException("empty request");
        };
    }

    synchronized void put(Key key, byte[] value) {
        rows.put(key, value);
    }

    synchronized Optional<byte[]> get(Key key) {
        return Optional.ofNullable(rows.get(key));
    }

    /** As when another front end deletes the table. */
    synchronized void fenceScope(RangeDescriptor range, Key scope) {
        fences.add(fence(range, scope));
    }

    synchronized boolean isFenced(RangeDescriptor range, Key scope) {
        return fences.contains(fence(range, scope));
    }

    /** Commands that took effect, repeats not counted. */
    synchronized int applied() {
        return applied;
    }

    /** Rows that scans have looked at so far. */
    synchronized long examinedRows() {
        return examinedRows;
    }

    synchronized void examineAtMost(int max) {
        examinedMax = max;
    }

    private RangeResponse read(
            RangeDescriptor range, RangeRequest request, RangeResponse.Builder answer) {
        Key key = Key.wrap(request.getReadRow().getKey().toByteArray());
        if (fencedFor(range, key)) {
            return answer.setScopeFenced(ScopeFenced.getDefaultInstance()).build();
        }
        Row.Builder row = Row.newBuilder();
        byte[] value = rows.get(key);
        if (value != null) {
            byte[] shown =
                    request.getReadRow().hasProjection()
                            ? new Projection(request.getReadRow().getProjection().getNamesList())
                                    .apply(EntityView.of(key, value))
                            : value;
            row.setValue(ByteString.copyFrom(shown));
        }
        return answer.setRow(row).build();
    }

    private RangeResponse scan(RangeDescriptor range, Scan scan, RangeResponse.Builder answer) {
        Key start = Key.wrap(scan.getStart().toByteArray());
        Key end = Key.wrap(scan.getEndExclusive().toByteArray());
        if (!range.bounds().contains(start) || end.compareTo(range.bounds().endExclusive()) > 0) {
            throw new IllegalArgumentException("scan leaves its range");
        }
        if (fencedFor(range, start)) {
            return answer.setScopeFenced(ScopeFenced.getDefaultInstance()).build();
        }
        EntityPredicate predicate =
                new EntityPredicate(
                        scan.getFilter().isEmpty()
                                ? Filter.Constant.ALL
                                : FilterCodec.decode(scan.getFilter().toByteArray()));
        ByteSink page = new ByteSink(64);
        ScanPage.Builder result = ScanPage.newBuilder();
        int taken = 0;
        int examined = 0;
        for (Map.Entry<Key, byte[]> row : rows.subMap(start, end).entrySet()) {
            if (examined == Math.min(examinedMax, scan.getBudget().getExaminedRowsMax())) {
                result.setResumeKey(ByteString.copyFrom(row.getKey().toBytes()));
                break;
            }
            examined++;
            examinedRows++;
            EntityView view = EntityView.of(row.getKey(), row.getValue());
            if (!predicate.test(view)) {
                continue;
            }
            if (taken >= scan.getBudget().getRowsMax()
                    || taken > 0 && page.size() >= scan.getBudget().getBytesMax()) {
                result.setResumeKey(ByteString.copyFrom(row.getKey().toBytes()));
                break;
            }
            taken++;
            if (scan.hasProjection()) {
                new Projection(scan.getProjection().getNamesList()).copyTo(view, page);
            } else {
                view.copyTo(page);
            }
        }
        return answer.setScanPage(
                        result.setRows(ByteString.copyFrom(page.toBytes()))
                                .setRowCount(taken)
                                .setExaminedRows(examined))
                .build();
    }

    private RangeResponse once(
            RangeDescriptor range, RangeRequest request, RangeResponse.Builder answer) {
        Command command = request.getCommand();
        String id = range.rangeId() + "/" + command.getSenderId() + "/" + command.getSequence();
        RangeResponse first = outcomes.get(id);
        if (first == null) {
            first = apply(range, command);
            outcomes.put(id, first);
        }
        return first.toBuilder().setRequestId(answer.getRequestId()).build();
    }

    /** One that absorbs another knows what the other has answered. */
    synchronized void join(RangeDescriptor survivor, RangeDescriptor absorbed) {
        String prefix = absorbed.rangeId() + "/";
        Map<String, RangeResponse> taken = new HashMap<>();
        outcomes.forEach(
                (id, outcome) -> {
                    if (id.startsWith(prefix)) {
                        taken.put(
                                survivor.rangeId() + "/" + id.substring(prefix.length()), outcome);
                    }
                });
        outcomes.putAll(taken);
    }

    private RangeResponse apply(RangeDescriptor range, Command command) {
        applied++;
        RangeResponse.Builder answer = RangeResponse.newBuilder();
        return switch (command.getBodyCase()) {
            case WRITE_ENTITIES -> write(range, command, answer);
            case CREATE_TABLE ->
                    answer.setOutcome(
                                    create(
                                            key(command.getCreateTable().getKey()),
                                            new TableRecord(
                                                    command.getCreateTable().getName(),
                                                    new ObjectId(
                                                            command.getCreateTable().getTableId()),
                                                    TableRecord.State.LIVE)))
                            .build();
            case BEGIN_DELETE_TABLE ->
                    answer.setOutcome(begin(key(command.getBeginDeleteTable().getKey()))).build();
            case FINISH_DELETE_TABLE ->
                    answer.setOutcome(
                                    finish(
                                            key(command.getFinishDeleteTable().getKey()),
                                            command.getFinishDeleteTable().getTableId()))
                            .build();
            case FENCE_SCOPE -> {
                Key scope = key(command.getFenceScope().getScope());
                fences.add(fence(range, scope));
                rows.keySet()
                        .removeIf(key -> key.startsWith(scope) && range.bounds().contains(key));
                Fenced fenced =
                        Fenced.newBuilder()
                                .setEndExclusive(
                                        ByteString.copyFrom(
                                                range.bounds().endExclusive().unsafeBytes()))
                                .build();
                yield answer.setOutcome(Outcome.newBuilder().setFenced(fenced)).build();
            }
            case SET_TABLE_POLICIES ->
                    answer.setOutcome(
                                    setPolicies(
                                            key(command.getSetTablePolicies().getKey()),
                                            AccessPolicyCodec.fromProto(
                                                    command.getSetTablePolicies().getPolicies())))
                            .build();
            case SET_SERVICE_PROPERTIES -> {
                Key key = key(command.getSetServiceProperties().getKey());
                ServiceProperties stored =
                        get(key).map(ServicePropertiesCodec::decode)
                                .orElse(ServiceProperties.DEFAULT);
                rows.put(
                        key,
                        ServicePropertiesCodec.encode(
                                stored.with(
                                        ServicePropertiesCodec.fromProto(
                                                command.getSetServiceProperties().getChange()))));
                yield answer.setOutcome(
                                Outcome.newBuilder()
                                        .setPropertiesChanged(
                                                PropertiesChanged.getDefaultInstance()))
                        .build();
            }
            case SET_MEMBERS,
                    SPLIT,
                    FREEZE,
                    THAW,
                    ABSORB,
                    FORGET_FENCES,
                    RESET_CLOCK,
                    RESTORE_ROWS,
                    BODY_NOT_SET ->
                    throw new IllegalArgumentException("empty command");
        };
    }

    private RangeResponse write(
            RangeDescriptor range, Command command, RangeResponse.Builder answer) {
        Written.Builder written = Written.newBuilder();
        int index = 0;
        for (EntityOperation operation : command.getWriteEntities().getOperationsList()) {
            Key key = key(operation.getKey());
            if (fencedFor(range, key)) {
                return answer.setScopeFenced(ScopeFenced.getDefaultInstance()).build();
            }
            if (operation.getKind() == EntityOperation.Kind.INSERT && rows.containsKey(key)) {
                return answer.setOutcome(rejected(ErrorCode.ENTITY_ALREADY_EXISTS, index, 0))
                        .build();
            }
            index++;
        }
        for (EntityOperation operation : command.getWriteEntities().getOperationsList()) {
            ticks++;
            rows.put(
                    key(operation.getKey()),
                    EntityCodec.encodeValue(ticks, operation.getBlock().toByteArray()));
            written.addTimestampTicks(ticks);
        }
        return answer.setOutcome(Outcome.newBuilder().setWritten(written)).build();
    }

    private Outcome create(Key key, TableRecord table) {
        byte[] existing = rows.get(key);
        if (existing != null) {
            TableRecord there = TableRecordCodec.decode(existing);
            return there.state() == TableRecord.State.LIVE
                    ? rejected(ErrorCode.TABLE_ALREADY_EXISTS, 0, 0)
                    : rejected(ErrorCode.TABLE_BEING_DELETED, 0, there.tableId().value());
        }
        rows.put(key, TableRecordCodec.encode(table));
        return changed(table);
    }

    private Outcome setPolicies(Key key, List<AccessPolicy> policies) {
        byte[] existing = rows.get(key);
        if (existing == null
                || TableRecordCodec.decode(existing).state() != TableRecord.State.LIVE) {
            return rejected(ErrorCode.TABLE_NOT_FOUND, 0, 0);
        }
        TableRecord table = TableRecordCodec.decode(existing).with(policies);
        rows.put(key, TableRecordCodec.encode(table));
        return changed(table);
    }

    private Outcome begin(Key key) {
        byte[] existing = rows.get(key);
        if (existing == null) {
            return rejected(ErrorCode.RESOURCE_NOT_FOUND, 0, 0);
        }
        TableRecord table = TableRecordCodec.decode(existing).deleting();
        rows.put(key, TableRecordCodec.encode(table));
        return changed(table);
    }

    private Outcome finish(Key key, long tableId) {
        byte[] existing = rows.get(key);
        if (existing == null
                || TableRecordCodec.decode(existing).tableId().value() != tableId
                || TableRecordCodec.decode(existing).state() == TableRecord.State.LIVE) {
            return rejected(ErrorCode.RESOURCE_NOT_FOUND, 0, 0);
        }
        rows.remove(key);
        return changed(TableRecordCodec.decode(existing));
    }

    private static Outcome changed(TableRecord table) {
        return Outcome.newBuilder()
                .setTableChanged(
                        TableChanged.newBuilder()
                                .setName(table.name())
                                .setTableId(table.tableId().value()))
                .build();
    }

    private static Outcome rejected(ErrorCode code, int index, long tableId) {
        return Outcome.newBuilder()
                .setRejected(
                        Rejected.newBuilder()
                                .setCode(code.wireName())
                                .setOperationIndex(index)
                                .setTableId(tableId))
                .build();
    }

    private boolean fencedFor(RangeDescriptor range, Key key) {
        return key.length() >= 17 && fences.contains(fence(range, key.prefix(17)));
    }

    private static String fence(RangeDescriptor range, Key scope) {
        return range.rangeId() + "/" + scope;
    }

    private static Key key(ByteString bytes) {
        return Key.wrap(bytes.toByteArray());
    }
}
