package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static io.parterre.server.TestCluster.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EntityCodec;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Asks where one range of a cluster is led, and counts the writes that were acknowledged. */
final class ClusterClient {
    /** Large enough that a few dozen fill segments of the log. */
    private static final String LARGE = "x".repeat(400_000);

    private final TestCluster cluster;
    private final RangeId first;
    private final AtomicLong sequences = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final Set<String> puts = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> flagged = new ConcurrentHashMap<>();
    private volatile long generation = 1;
    private volatile RangeId range;

    ClusterClient(TestCluster cluster, RangeId first) {
        this.cluster = cluster;
        this.first = first;
        this.range = first;
    }

    /** Asks for another range from now on. */
    void goOnWith(RangeId other) {
        range = other;
        generation = 1;
    }

    /** Sends to one node after the other until one that leads has answered for good. */
    RangeResponse call(RangeRequest.Builder request) {
        List<RangeResponse> answer = new ArrayList<>();
        await().until(
                        () -> {
                            for (RunningServer server : cluster.servers()) {
                                Optional<RangeResponse> given = tried(server, request);
                                if (given.isPresent()) {
                                    answer.add(given.get());
                                    return true;
                                }
                            }
                            return false;
                        });
        return answer.get(0);
    }

    /** What one node says to a command, whatever it is. */
    RangeResponse answer(String node, Command.Builder command) throws Exception {
        return cluster.node(node)
                .client()
                .call(command(command).setRangeId(first.value()).setGeneration(generation));
    }

    private Optional<RangeResponse> tried(RunningServer server, RangeRequest.Builder request) {
        RangeResponse response;
        try {
            response =
                    server.client()
                            .call(
                                    request.clone()
                                            .setRangeId(range.value())
                                            .setGeneration(generation));
        } catch (Exception gone) {
            server.connectAgain();
            return Optional.empty();
        }
        if (response.hasStaleRange()) {
            response.getStaleRange()
                    .getDescriptorsList()
                    .forEach(each -> generation = Math.max(generation, each.getGeneration()));
            return Optional.empty();
        }
        boolean again = response.hasNotLeader() || response.hasInDoubt() || response.hasBusy();
        return again ? Optional.empty() : Optional.of(response);
    }

    /** Writes one entity more; a repeat after doubt answers the first outcome. */
    void write() {
        write("small");
    }

    void write(int count) {
        for (int i = 0; i < count; i++) {
            write();
        }
    }

    private void write(String text) {
        long sequence = sequences.incrementAndGet();
        RangeResponse response =
                call(command(insert(sequence, "p", String.format("%08d", sequence), text)));
        assertThat(response.getOutcome().hasWritten()).as(response.toString()).isTrue();
        acknowledged.incrementAndGet();
    }

    /** Puts an entity in the place of the one of its name, if there is one. */
    RangeResponse put(String partition, String row, String text) {
        RangeResponse response =
                call(
                        command(
                                Commands.write(
                                        sequences.incrementAndGet(),
                                        EntityOperation.Kind.INSERT_OR_REPLACE,
                                        partition,
                                        row,
                                        text)));
        if (puts.add(partition + "/" + row)) {
            acknowledged.incrementAndGet();
        }
        return response;
    }

    void writeLarge(int count) {
        for (int i = 0; i < count; i++) {
            write(LARGE);
        }
    }

    /**
     * Sets one small property of as many large entities, all at a time, so that most of it is one
     * log entry and many slices; again and again, until that is enough. An entity that is there has
     * the timestamp that was answered last: it was written no second time.
     */
    void mergeLarge(int count, BooleanSupplier enough) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            put("large", "" + i, LARGE);
        }
        int round = 0;
        do {
            int value = round++;
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String row = "" + i;
                clients.add(new Thread(() -> mergeFlag(row, value), "merge-" + i));
            }
            clients.forEach(Thread::start);
            for (Thread client : clients) {
                client.join();
            }
        } while (!enough.getAsBoolean());
        assertThat(flagged.keySet()).hasSize(count);
        flagged.forEach(
                (row, ticks) -> {
                    RangeResponse found = call(read(Commands.key("large", row)));
                    byte[] value = found.getRow().getValue().toByteArray();
                    assertThat(EntityCodec.timestampTicks(value)).as(row).isEqualTo(ticks);
                });
    }

    private void mergeFlag(String row, int value) {
        RangeResponse response =
                call(command(Commands.mergeFlag(sequences.incrementAndGet(), "large", row, value)));
        assertThat(response.getOutcome().hasWritten()).as(response.toString()).isTrue();
        flagged.put(row, response.getOutcome().getWritten().getTimestampTicks(0));
    }

    /**
     * A write of which nobody hears how it ended: it is in the log of the node that leads, which
     * the others do not follow. Counts as acknowledged.
     */
    void writeUnanswered(String leader) {
        long sequence = sequences.incrementAndGet();
        RangeRequest.Builder request =
                command(insert(sequence, "p", String.format("%08d", sequence), "small"));
        new Thread(() -> tried(cluster.node(leader), request), "unanswered").start();
        cluster.awaitUnapplied(leader);
        acknowledged.incrementAndGet();
    }

    /**
     * Writes through a leader without a pause until a write has no answer, since the cut has taken
     * the leader's majority away. A write that came only after the cut might find that the leader
     * has stepped down. Those with an answer are acknowledged, and the last counts as well: it is
     * in the leader's log.
     */
    void writeUntilUnanswered(String leader, Runnable cut) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread writer =
                new Thread(
                        () -> {
                            while (isAnswered(leader, sequences.incrementAndGet())) {
                                acknowledged.incrementAndGet();
                                begun.countDown();
                            }
                        },
                        "unanswered");
        writer.start();
        begun.await();
        cut.run();
        cluster.awaitUnapplied(leader);
        writer.join();
        acknowledged.incrementAndGet();
    }

    private boolean isAnswered(String node, long sequence) {
        String row = String.format("%08d", sequence);
        return tried(cluster.node(node), command(insert(sequence, "p", row, "small"))).isPresent();
    }

    /** Writes that count as acknowledged. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** Of the last writes so many may be lost, from some point on; counts those that are there. */
    void keptOfLast(int writes) {
        long found = entities();
        assertThat(found).isBetween(acknowledged.get() - writes, acknowledged.get());
        for (long sequence = 1; sequence <= found; sequence++) {
            RangeResponse row = call(read(Commands.key("p", String.format("%08d", sequence))));
            assertThat(row.hasRow()).as("write %s of %s", sequence, found).isTrue();
        }
        acknowledged.set(found);
    }

    /** Every entity that was acknowledged is there, and no other. */
    void assertAllThere() {
        assertThat(entities()).isEqualTo(acknowledged.get());
    }

    private long entities() {
        long found = 0;
        KeyRange rest = KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE));
        for (; ; ) {
            RangeResponse page = call(scan(rest, 1000));
            assertThat(page.hasScanPage()).as(page.toString()).isTrue();
            found += page.getScanPage().getRowCount();
            if (!page.getScanPage().hasResumeKey()) {
                break;
            }
            rest =
                    new KeyRange(
                            Key.wrap(page.getScanPage().getResumeKey().toByteArray()),
                            rest.endExclusive());
        }
        return found;
    }
}
