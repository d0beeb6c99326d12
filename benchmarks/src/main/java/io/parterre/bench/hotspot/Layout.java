package io.parterre.bench.hotspot;

import com.fasterxml.jackson.databind.JsonNode;
import io.parterre.bench.work.SampleEntity;
import io.parterre.key.KeyText;
import io.parterre.key.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Which range has which partitions of the table, and which server leads it, as {@code parterre
 * ranges --json} shows.
 *
 * @param parts in key order; the first begins before all partitions
 */
public record Layout(List<Part> parts, int partitions) {
    /**
     * A range.
     *
     * @param firstPartition number of its first partition
     * @param leader empty string if unknown
     */
    public record Part(long rangeId, int firstPartition, String leader) {}

    /** Neighbouring partitions, by number. */
    record Partitions(int first, int endExclusive) {
        boolean contains(int partition) {
            return partition >= first && partition < endExclusive;
        }
    }

    public Layout {
        parts = List.copyOf(parts);
    }

    public static Layout of(JsonNode answer, int partitions) {
        List<Part> parts = new ArrayList<>();
        for (JsonNode each : answer.path("ranges")) {
            parts.add(
                    new Part(
                            each.path("range").path("rangeId").asLong(),
                            firstPartition(each.path("range").path("start")),
                            each.path("leader").asText()));
        }
        return new Layout(parts, partitions);
    }

    /**
     * Returns the first partition of a range. Ranges are split at partitions, and there is no other
     * table than the loaded one.
     */
    private static int firstPartition(JsonNode start) {
        byte[] key;
        try {
            key = start.binaryValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (key.length <= Scope.LENGTH_BYTES) {
            return 0;
        }
        OptionalLong partition =
                SampleEntity.partitionOf(
                        KeyText.decode(Arrays.copyOfRange(key, Scope.LENGTH_BYTES, key.length)));
        return (int) partition.orElse(0);
    }

    /** Returns the end of a part: the first partition after it. */
    private int end(int index) {
        return index + 1 < parts.size() ? parts.get(index + 1).firstPartition() : partitions;
    }

    /** Returns the partitions of a range; empty if the range does not exist. */
    Optional<Partitions> partitionsOf(long rangeId) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).rangeId() == rangeId) {
                return Optional.of(new Partitions(parts.get(i).firstPartition(), end(i)));
            }
        }
        return Optional.empty();
    }

    /** Formats as "3 ranges; s1 leads 1, 3; s2 leads 2", in key order. */
    public String words() {
        TreeMap<String, List<String>> led = new TreeMap<>();
        for (Part part : parts) {
            led.computeIfAbsent(part.leader(), leader -> new ArrayList<>())
                    .add(String.valueOf(part.rangeId()));
        }
        StringBuilder words = new StringBuilder(parts.size() + " ranges");
        led.forEach(
                (leader, ranges) ->
                        words.append("; ")
                                .append(leader.isEmpty() ? "nobody" : leader)
                                .append(" leads ")
                                .append(String.join(", ", ranges)));
        return words.toString();
    }

    /** Returns the leader of a partition's range; empty string if unknown. */
    public String leaderOf(int partition) {
        return partOf(partition).map(Part::leader).orElse("");
    }

    /** Returns the number of the range that has a partition. */
    public long rangeOf(int partition) {
        return partOf(partition).orElseThrow().rangeId();
    }

    private Optional<Part> partOf(int partition) {
        Optional<Part> last = Optional.empty();
        for (Part part : parts) {
            if (part.firstPartition() > partition) {
                break;
            }
            last = Optional.of(part);
        }
        return last;
    }

    /**
     * Returns each server's share of calls with this skew, from 0 to 1, by the ranges that it
     * leads.
     */
    TreeMap<String, Double> shares(Skew skew) {
        TreeMap<String, Double> shares = new TreeMap<>();
        for (int i = 0; i < parts.size(); i++) {
            double share = skew.share(parts.get(i).firstPartition(), end(i));
            shares.merge(parts.get(i).leader(), share, Double::sum);
        }
        return shares;
    }
}
