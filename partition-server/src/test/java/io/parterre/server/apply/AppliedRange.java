package io.parterre.server.apply;

import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A range in memory, and a short way to say what is applied to it. */
final class AppliedRange {
    static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    static final long SENDER = 5;

    final MapView view = new MapView();
    private final OutcomeLimits limits;
    private final SliceLimits sliceLimits;
    SliceRoom room = SliceRoom.UNBOUNDED;
    FrozenRange.Neighbours neighbours = FrozenRange.Neighbours.NONE;
    RangeState state;
    private final HostedRange founded;
    private long index;
    private long bornAt;
    private long sequence;

    AppliedRange() {
        this(OutcomeLimits.CURRENT);
    }

    AppliedRange(OutcomeLimits limits) {
        this(limits, SliceLimits.CURRENT);
    }

    AppliedRange(OutcomeLimits limits, SliceLimits sliceLimits) {
        this.limits = limits;
        this.sliceLimits = sliceLimits;
        this.founded = whole();
        this.state = new RangeState(founded, limits, sliceLimits);
    }

    private AppliedRange(Mutation.PutChild childCreated, long index, OutcomeLimits limits) {
        this.limits = limits;
        this.sliceLimits = SliceLimits.CURRENT;
        this.founded = childCreated.range();
        this.index = index;
        childCreated.own().forEach(row -> view.own.put(row.key(), row.value()));
        restart();
    }

    /** The range that was cut off last, with its rows, which go to it. */
    AppliedRange child() {
        Mutation.PutChild childCreated = view.children.get(view.children.size() - 1);
        AppliedRange child = new AppliedRange(childCreated, bornAt, limits);
        java.util.NavigableMap<Key, byte[]> rows =
                view.rows.subMap(
                        childCreated.range().descriptor().bounds().start(),
                        true,
                        childCreated.range().descriptor().bounds().endExclusive(),
                        false);
        child.view.rows.putAll(rows);
        rows.clear();
        return child;
    }

    /** What a neighbour finds of it that is to absorb it. */
    FrozenRange frozen() {
        return new FrozenRange(range(), view.ownRows());
    }

    HostedRange range() {
        return view.range().orElse(founded);
    }

    /** Applies one entry with these commands, each under a new sequence. */
    List<Outcome> apply(long stampTicks, ReplicaCommand... commands) {
        List<SubmittedCommand> named = new ArrayList<>();
        for (ReplicaCommand command : commands) {
            named.add(submitted(SENDER, ++sequence, 0, command));
        }
        return applyEntry(stampTicks, named);
    }

    List<Outcome> applyEntry(long stampTicks, List<SubmittedCommand> commands) {
        return applyEntry(stampTicks, commands, slice -> {});
    }

    /** With a look at each slice that has been written and is not the last. */
    List<Outcome> applyEntry(
            long stampTicks, List<SubmittedCommand> commands, Consumer<AppliedSlice> between) {
        LogEntry entry = new LogEntry(stampTicks, commands);
        SliceContext context = new SliceContext(view, neighbours, room, command -> true, true);
        index++;
        List<Outcome> outcomes = new ArrayList<>();
        for (int from = 0; from < commands.size(); ) {
            AppliedSlice slice = state.apply(entry, index, from, context);
            int children = view.children.size();
            view.take(slice.mutations());
            bornAt = view.children.size() > children ? index : bornAt;
            outcomes.addAll(slice.outcomes());
            from = slice.end();
            if (!slice.whole()) {
                between.accept(slice);
            }
        }
        return outcomes;
    }

    Outcome apply(long stampTicks, long sender, long number, long settled, ReplicaCommand command) {
        return applyEntry(stampTicks, List.of(submitted(sender, number, settled, command))).get(0);
    }

    /** The whole key space on one node, as founded. */
    static HostedRange whole() {
        return range(KeyRange.ALL);
    }

    static HostedRange range(KeyRange bounds) {
        return new HostedRange(
                new RangeDescriptor(
                        new RangeId(1), bounds, Generation.FIRST, List.of(new NodeId("node-1"))),
                List.of(member("node-1")));
    }

    static Member member(String node) {
        return new Member(new NodeId(node), node + ":1", node + ":2");
    }

    /** As if the process had started again at this moment. */
    void restart() {
        state = RangeState.restore(range(), view.ownRows(), limits, sliceLimits);
    }

    static SubmittedCommand submitted(
            long sender, long sequence, long settledBelow, ReplicaCommand command) {
        return new SubmittedCommand(new CommandId(sender, sequence), settledBelow, command);
    }

    static ReplicaCommand.WriteEntities batch(EntityOperation... operations) {
        return new ReplicaCommand.WriteEntities(Arrays.asList(operations), 1 << 20, 252);
    }

    static EntityOperation operation(
            EntityOperation.Kind kind, String row, Property... properties) {
        return new EntityOperation(
                kind,
                key(row),
                EntityCodec.encodeBlock(Arrays.asList(properties)),
                OptionalLong.empty());
    }

    static EntityOperation ifMatch(EntityOperation operation, long ticks) {
        return new EntityOperation(
                operation.kind(), operation.key(), operation.block(), OptionalLong.of(ticks));
    }

    static Key key(String row) {
        return KeyCodec.entity(TABLE, "p", row);
    }

    static Property property(String name, int value) {
        return new Property(name, new EdmValue.Int32Value(value));
    }

    List<Property> properties(String row) {
        return EntityCodec.decodeBlock(EntityCodec.blockOf(view.get(key(row)).orElseThrow()));
    }

    long timestamp(String row) {
        return EntityCodec.timestampTicks(view.get(key(row)).orElseThrow());
    }
}
