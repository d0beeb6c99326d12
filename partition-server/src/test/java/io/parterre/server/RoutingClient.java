package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EntityPage;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.ScanPage;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Finds ranges by what nodes tell, and asks one node after the other until one has answered. */
final class RoutingClient {
    private final TestCluster cluster;
    private final Map<RangeId, RangeDescriptor> known = new ConcurrentHashMap<>();

    RoutingClient(TestCluster cluster) {
        this.cluster = cluster;
        learn(
                new RangeDescriptor(
                        TestCluster.RANGE,
                        KeyRange.ALL,
                        Generation.FIRST,
                        List.of(new NodeId("node-1"))));
    }

    private void learn(RangeDescriptor told) {
        known.merge(
                told.rangeId(),
                told,
                (old, fresh) -> fresh.generation().compareTo(old.generation()) > 0 ? fresh : old);
    }

    RangeDescriptor rangeOf(Key key) {
        return known.values().stream()
                .filter(range -> range.bounds().contains(key))
                .max(Comparator.comparing(RangeDescriptor::generation))
                .orElseThrow();
    }

    /** Under one sequence for all attempts. */
    RangeResponse write(Key key, Command.Builder command) {
        return call(key, range -> RangeClient.command(command.clone()));
    }

    RangeResponse call(Key key, Function<RangeDescriptor, RangeRequest.Builder> request) {
        List<RangeResponse> answer = new ArrayList<>();
        TestCluster.await()
                .pollInterval(java.time.Duration.ofMillis(2))
                .until(
                        () -> {
                            for (RunningServer server : cluster.servers()) {
                                Optional<RangeResponse> given = tried(server, key, request);
                                if (given.isPresent()) {
                                    answer.add(given.get());
                                    return true;
                                }
                            }
                            return false;
                        });
        return answer.get(0);
    }

    private Optional<RangeResponse> tried(
            RunningServer server,
            Key key,
            Function<RangeDescriptor, RangeRequest.Builder> request) {
        RangeDescriptor range = rangeOf(key);
        RangeResponse response;
        try {
            response =
                    server.client()
                            .call(
                                    request.apply(range)
                                            .setRangeId(range.rangeId().value())
                                            .setGeneration(range.generation().value()));
        } catch (Exception gone) {
            return Optional.empty();
        }
        if (response.hasStaleRange()) {
            // Children first: else others would find their keys in no range for a moment.
            response.getStaleRange().getDescriptorsList().stream()
                    .map(DescriptorCodec::fromProto)
                    .sorted(
                            Comparator.comparing((RangeDescriptor told) -> told.bounds().start())
                                    .reversed())
                    .forEach(this::learn);
            return Optional.empty();
        }
        boolean again = response.hasNotLeader() || response.hasInDoubt() || response.hasBusy();
        return again ? Optional.empty() : Optional.of(response);
    }

    /** All rows of an interval, range by range, in key order. */
    List<Key> scan(KeyRange interval, int pageRows) {
        List<Key> rows = new ArrayList<>();
        Key[] next = {interval.start()};
        while (next[0].compareTo(interval.endExclusive()) < 0) {
            Key[] end = new Key[1];
            RangeResponse response =
                    call(
                            next[0],
                            range -> {
                                Key rangeEnd = range.bounds().endExclusive();
                                end[0] =
                                        rangeEnd.compareTo(interval.endExclusive()) < 0
                                                ? rangeEnd
                                                : interval.endExclusive();
                                return RangeClient.scan(new KeyRange(next[0], end[0]), pageRows);
                            });
            assertThat(response.hasScanPage()).as(response.toString()).isTrue();
            ScanPage page = response.getScanPage();
            EntityPage.forEachRow(
                    page.getRows().toByteArray(),
                    (key, value) -> rows.add(Key.copyOf(key.unsafeBytes())));
            next[0] = page.hasResumeKey() ? Key.wrap(page.getResumeKey().toByteArray()) : end[0];
        }
        assertThat(rows).isSorted();
        return rows;
    }
}
