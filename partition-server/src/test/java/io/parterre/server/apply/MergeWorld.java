package io.parterre.server.apply;

import static io.parterre.server.apply.AppliedRange.TABLE;
import static io.parterre.server.apply.AppliedRange.submitted;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Ranges that split and merge while writes are under way, on two or three nodes: each applies each
 * log at its own pace, and falls back to its last flush at any moment. Raft is one list of entries
 * a range; who merges does so as a leader would, gives some merges up, and repeats itself. A client
 * that is not answered sends again under the same sequence.
 */
final class MergeWorld {
    static final Key SCOPE = KeyCodec.scope(TABLE);
    private static final int PARTITIONS = 12;

    private final Random random;
    private final List<NodeRows> nodes = new ArrayList<>();
    private final List<NodeRows> flushed = new ArrayList<>();
    private final TreeMap<RangeId, CommittedLog> logs = new TreeMap<>();
    private final Map<Long, Long> sequences = new TreeMap<>();
    private final List<Write> writing = new ArrayList<>();
    final Set<Key> acknowledged = new HashSet<>();
    private final Map<Key, Long> latestTicks = new HashMap<>();
    private final List<MergeUnderWay> merges = new ArrayList<>();
    private final Set<RangeId> joined = new HashSet<>();
    private long ids = 1;
    private long ticks = 1_000;
    int mergesDone;
    int mergesGivenUp;
    int sliced;
    Key fencedTo = SCOPE;
    private boolean deletes;
    private long fenceSequence;

    MergeWorld(long seed) {
        random = new Random(seed);
        int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            NodeRows rows = new NodeRows();
            HostedRange whole = AppliedRange.whole();
            rows.replicas.put(whole.descriptor().rangeId(), new NodeReplica(whole, 10));
            nodes.add(rows);
            flushed.add(rows.copy());
        }
        logs.put(new RangeId(1), new CommittedLog(10));
    }

    /** The range as far as anybody has applied it. */
    private Optional<RangeDescriptor> latest(RangeId rangeId) {
        return nodes.stream()
                .map(node -> node.replicas.get(rangeId))
                .filter(replica -> replica != null && !joined.contains(rangeId))
                .map(NodeReplica::descriptor)
                .max(Comparator.comparing(RangeDescriptor::generation));
    }

    private List<RangeDescriptor> ranges() {
        return logs.keySet().stream().flatMap(id -> latest(id).stream()).toList();
    }

    /** Empty: the member that had applied that it has the key has fallen back. */
    private Optional<RangeDescriptor> rangeOf(Key key) {
        return ranges().stream()
                .filter(range -> range.bounds().contains(key))
                .max(Comparator.comparing(RangeDescriptor::generation));
    }

    void step() {
        switch (random.nextInt(14)) {
            case 0, 1, 2 -> begin();
            case 3 -> sendAgain();
            case 4 -> {
                if (random.nextInt(3) == 0) {
                    split();
                }
            }
            case 5 -> beginMerge();
            case 6, 7 -> goOnWithMerge();
            case 8 -> {
                if (random.nextInt(2) == 0) {
                    crash(random.nextInt(nodes.size()));
                }
            }
            case 9 -> flush(random.nextInt(nodes.size()));
            default -> apply();
        }
    }

    private void begin() {
        long sender = 5 + random.nextInt(2);
        long sequence = sequences.merge(sender, 1L, Long::sum);
        Write write =
                new Write(
                        sender,
                        sequence,
                        KeyCodec.entity(TABLE, partition(), sender + "-" + sequence));
        writing.add(write);
        send(write);
    }

    private String partition() {
        return "p" + (char) ('a' + random.nextInt(PARTITIONS));
    }

    /** The answer was lost, or is late: it may be in a log already. */
    private void sendAgain() {
        if (!writing.isEmpty()) {
            send(writing.get(random.nextInt(writing.size())));
        }
    }

    private void send(Write write) {
        long settled =
                writing.stream()
                        .filter(each -> each.sender == write.sender)
                        .mapToLong(each -> each.sequence)
                        .min()
                        .orElse(write.sequence);
        SubmittedCommand command =
                submitted(
                        write.sender,
                        write.sequence,
                        Math.min(settled, write.sequence),
                        write.command);
        rangeOf(write.key).ifPresent(range -> append(range.rangeId(), command));
    }

    /** Each leader's clock is another one. */
    private long append(RangeId rangeId, SubmittedCommand command) {
        CommittedLog log = logs.get(rangeId);
        ticks += random.nextInt(5);
        long stamp = ticks + rangeId.value() * 37 % 200;
        boolean packs =
                log.entries.size() > 0
                        && !log.outcomes.containsKey(log.end())
                        && random.nextInt(2) == 0;
        if (packs) {
            LogEntry last = log.entries.remove(log.entries.size() - 1);
            List<SubmittedCommand> more = new ArrayList<>(last.commands());
            more.add(command);
            log.entries.add(new LogEntry(last.stampTicks(), more));
        } else {
            log.entries.add(new LogEntry(stamp, List.of(command)));
        }
        return log.end();
    }

    private long own(RangeId rangeId, ReplicaCommand command) {
        long sequence = sequences.merge(1L, 1L, Long::sum);
        return append(rangeId, submitted(1, sequence, sequence, command));
    }

    private void split() {
        if (ranges().size() < 6) {
            Key splitPoint = KeyCodec.partition(TABLE, partition());
            rangeOf(splitPoint)
                    .ifPresent(
                            range ->
                                    own(
                                            range.rangeId(),
                                            new ReplicaCommand.Split(
                                                    range.generation().next(),
                                                    splitPoint,
                                                    new RangeId(++ids))));
        }
    }

    private void beginMerge() {
        RangeDescriptor left = ranges().get(random.nextInt(ranges().size()));
        if (left.bounds().endExclusive().equals(Key.LAST)) {
            return;
        }
        Optional<RangeDescriptor> right =
                rangeOf(left.bounds().endExclusive())
                        .filter(
                                range ->
                                        range.bounds().start().equals(left.bounds().endExclusive()))
                        .filter(range -> !range.isFrozen() && !left.isFrozen());
        if (right.isPresent()) {
            MergeUnderWay merge = new MergeUnderWay(left, right.get());
            own(
                    right.get().rangeId(),
                    new ReplicaCommand.Freeze(
                            right.get().generation().next(), left.rangeId(), left.generation()));
            merges.add(merge);
        }
    }

    private void goOnWithMerge() {
        if (!merges.isEmpty()) {
            goOn(merges.get(random.nextInt(merges.size())), random.nextInt(8) == 0);
        }
    }

    private void goOn(MergeUnderWay merge, boolean givesUp) {
        Optional<RangeDescriptor> left = latest(merge.left.rangeId());
        Optional<RangeDescriptor> right = latest(merge.right.rangeId());
        if (right.isEmpty()) {
            if (joined.contains(merge.right.rangeId())) {
                merges.remove(merge);
            }
            return;
        }
        if (!merge.isFrozen(right.get())) {
            if (right.get().generation().compareTo(merge.right.generation()) > 0) {
                merges.remove(merge);
            }
            return;
        }
        // One that was absorbed itself takes nothing in any more.
        boolean fenced =
                joined.contains(merge.left.rangeId())
                        || left.filter(
                                        range ->
                                                range.generation()
                                                                .compareTo(merge.left.generation())
                                                        > 0)
                                .isPresent();
        if (left.isEmpty() && !fenced) {
            return;
        }
        if (fenced) {
            // Seen in the left one's log, and the right one is still there.
            own(right.get().rangeId(), new ReplicaCommand.Thaw(right.get().generation().next()));
            mergesGivenUp++;
        } else if (givesUp) {
            own(
                    left.get().rangeId(),
                    new ReplicaCommand.SetMembers(
                            left.get().generation().next(),
                            List.of(AppliedRange.member("node-1"))));
        } else if (allHave(merge)) {
            own(
                    left.get().rangeId(),
                    new ReplicaCommand.Absorb(
                            merge.joined(),
                            merge.left.generation(),
                            right.get(),
                            merge.freezeIndex));
        }
    }

    /** Has all nodes told once, as the leader is; they may fall back afterwards. */
    private boolean allHave(MergeUnderWay merge) {
        if (merge.freezeIndex >= 0) {
            return true;
        }
        long index = -1;
        for (NodeRows node : nodes) {
            NodeReplica replica = node.replicas.get(merge.right.rangeId());
            if (replica == null || !merge.isFrozen(replica.descriptor())) {
                return false;
            }
            index = index < 0 ? replica.applied : Math.min(index, replica.applied);
        }
        merge.freezeIndex = index;
        return true;
    }

    private void crash(int node) {
        nodes.set(node, flushed.get(node).copy());
    }

    private void flush(int node) {
        flushed.set(node, nodes.get(node).copy());
    }

    /** Of one range, on those nodes that get on at all. */
    private void apply() {
        List<RangeId> ids =
                nodes.stream()
                        .flatMap(node -> node.replicas.keySet().stream())
                        .distinct()
                        .sorted()
                        .toList();
        RangeId rangeId = ids.get(random.nextInt(ids.size()));
        for (NodeRows node : List.copyOf(nodes)) {
            for (int i = random.nextInt(5); i > 0; i--) {
                applyNext(node, rangeId);
            }
        }
    }

    /** One slice: nodes crash in the midst of entries too. */
    private boolean applyNext(NodeRows node, RangeId rangeId) {
        NodeReplica replica = node.replicas.get(rangeId);
        CommittedLog log = logs.get(rangeId);
        if (replica == null || replica.applied >= log.end()) {
            return false;
        }
        long index = replica.applied + 1;
        LogEntry entry = log.at(index);
        int from = replica.begun;
        AppliedSlice applied =
                replica.state()
                        .apply(
                                entry,
                                index,
                                from,
                                new SliceContext(
                                        key -> Optional.ofNullable(node.data.get(key)),
                                        (right, freezeIndex) -> frozen(node, right, freezeIndex)));
        applied.mutations().forEach(each -> each.match(new NodeTaker(node, replica, index, logs)));
        replica.applied = applied.whole() ? index : index - 1;
        replica.begun = applied.whole() ? 0 : applied.end();
        sliced += applied.whole() ? 0 : 1;
        List<Outcome> first = log.outcomes.computeIfAbsent(index, key -> new ArrayList<>());
        for (int i = from; i < applied.end(); i++) {
            Outcome outcome = applied.outcomes().get(i - from);
            if (i < first.size()) {
                assertThat(outcome).isEqualTo(first.get(i));
            } else {
                first.add(outcome);
                answered(entry.commands().get(i), outcome);
            }
        }
        return true;
    }

    /** As a start does: its own log has all of it. */
    private FrozenRange frozen(NodeRows node, RangeDescriptor right, long freezeIndex) {
        while (node.replicas.get(right.rangeId()).applied < freezeIndex) {
            assertThat(applyNext(node, right.rangeId())).isTrue();
        }
        NodeReplica replica = node.replicas.get(right.rangeId());
        return new FrozenRange(replica.range, replica.rows());
    }

    private void answered(SubmittedCommand command, Outcome outcome) {
        if (outcome instanceof Outcome.RangeAbsorbed absorbed && absorbed.done()) {
            joined.add(((ReplicaCommand.Absorb) command.body()).right().rangeId());
            mergesDone++;
        }
        if (command.body() instanceof ReplicaCommand.FenceScope) {
            if (command.id().sequence() == fenceSequence) {
                deletes = false;
                if (outcome instanceof Outcome.Fenced fenced) {
                    fencedTo = fenced.endExclusive().orElseThrow();
                }
            }
            return;
        }
        if (outcome instanceof Outcome.Written written) {
            written(command, written);
        }
        Write write =
                writing.stream()
                        .filter(each -> each.sender == command.id().senderId())
                        .filter(each -> each.sequence == command.id().sequence())
                        .findFirst()
                        .orElse(null);
        boolean lost = random.nextInt(4) == 0;
        if (write == null || lost || outcome instanceof Outcome.StaleRange) {
            // Answered before, or not now: it is sent again.
            return;
        }
        if (outcome instanceof Outcome.Written) {
            acknowledged.add(write.key);
        } else {
            // An insert that were executed twice would find its own entity.
            assertThat(outcome).isInstanceOf(Outcome.ScopeFenced.class);
        }
        writing.remove(write);
    }

    /** Unless it is a repeat: then that was told before. */
    private void written(SubmittedCommand command, Outcome.Written written) {
        Key key = ((ReplicaCommand.WriteEntities) command.body()).operations().get(0).key();
        long at = written.timestampTicks()[0];
        if (latestTicks.containsKey(key)) {
            assertThat(at).isEqualTo(latestTicks.get(key));
            return;
        }
        latestTicks.put(key, at);
        Key partition = KeyCodec.partitionPrefix(key);
        assertThat(at).isGreaterThan(latestTicks.getOrDefault(partition, 0L));
        latestTicks.put(partition, at);
    }

    void fence() {
        boolean begins = !deletes && fencedTo.compareTo(SCOPE.afterPrefix()) < 0;
        if (begins) {
            deletes = true;
            fenceSequence = sequences.merge(9L, 1L, Long::sum);
        }
        if (begins || deletes && random.nextInt(20) == 0) {
            // If it is not answered again, to who has the keys now.
            SubmittedCommand command =
                    submitted(9, fenceSequence, 0, new ReplicaCommand.FenceScope(SCOPE));
            rangeOf(fencedTo).ifPresent(range -> append(range.rangeId(), command));
        }
    }

    void settle() {
        for (int round = 0; round < 50; round++) {
            for (NodeRows node : nodes) {
                for (boolean more = true; more; ) {
                    more = false;
                    for (RangeId id : List.copyOf(node.replicas.keySet())) {
                        more |= applyNext(node, id);
                    }
                }
            }
            if (writing.isEmpty() && merges.isEmpty()) {
                return;
            }
            List.copyOf(merges).forEach(merge -> goOn(merge, true));
            List.copyOf(writing).forEach(this::send);
        }
        throw new AssertionError("not settled: " + writing.size() + ", " + merges.size());
    }

    /** All nodes hold the same, every key is of one range, and that is whole. */
    Set<Key> rows() {
        NodeRows first = nodes.get(0);
        for (NodeRows node : nodes) {
            assertThat(node.data.keySet()).isEqualTo(first.data.keySet());
            node.data.forEach((key, value) -> assertThat(value).isEqualTo(first.data.get(key)));
            assertThat(node.replicas.keySet()).isEqualTo(first.replicas.keySet());
            node.replicas.forEach(
                    (id, replica) -> {
                        NodeReplica other = first.replicas.get(id);
                        assertThat(replica.range).isEqualTo(other.range);
                        assertThat(replica.own.keySet()).isEqualTo(other.own.keySet());
                        replica.own.forEach(
                                (key, value) ->
                                        assertThat(value)
                                                .as(key.toString())
                                                .isEqualTo(other.own.get(key)));
                    });
        }
        Key at = Key.FIRST;
        List<KeyRange> bounds =
                first.replicas.values().stream()
                        .map(replica -> replica.descriptor().bounds())
                        .sorted(Comparator.comparing(KeyRange::start))
                        .toList();
        for (KeyRange each : bounds) {
            assertThat(each.start()).isEqualTo(at);
            at = each.endExclusive();
        }
        assertThat(at).isEqualTo(Key.LAST);
        return first.data.keySet();
    }
}
