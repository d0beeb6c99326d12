package io.parterre.chaos;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.deploy.node.RoleName;
import io.parterre.server.store.LocalKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * What the processes of a cluster of one server take.
 *
 * @param heapBytes in use after a collection, by process
 * @param logEntries that the server retains, of which each has a record in the heap
 * @param ownRowsByKind rows that are no data, by the tag of their kind
 * @param files in the data folders
 * @param diskBytes of them
 * @param start time from a start of the server until it is ready; zero: not measured
 */
record Footprint(
        Map<String, Long> heapBytes,
        long logEntries,
        Map<Character, Long> ownRowsByKind,
        long files,
        long diskBytes,
        Duration start) {
    private static final Duration FOUND_WITHIN = Duration.ofMinutes(2);
    private static final Pattern HEAP =
            Pattern.compile("^jvm_memory_used_bytes\\{area=\"heap\".*} (\\S+)$", Pattern.MULTILINE);

    static Footprint of(ClusterProcesses cluster) throws Exception {
        String server = server(cluster);
        cluster.operator().ask("flush", server);
        Map<String, Long> heaps = new TreeMap<>();
        for (RoleName role :
                List.of(
                        RoleName.PARTITION_MANAGER,
                        RoleName.PARTITION_SERVER,
                        RoleName.FRONT_END)) {
            String name = cluster.names(role).get(0);
            heaps.put(name, heapBytes(cluster, name));
        }
        List<Long> sizes = new ArrayList<>();
        sizes(cluster.data(server), sizes);
        sizes(cluster.data(cluster.names(RoleName.PARTITION_MANAGER).get(0)), sizes);
        return new Footprint(
                heaps,
                (long) cluster.metric(server, "partition_server_log_entries"),
                ownRows(cluster.data(server).resolve("server").resolve("rows")),
                sizes.size(),
                sizes.stream().mapToLong(Long::longValue).sum(),
                Duration.ZERO);
    }

    private static String server(ClusterProcesses cluster) {
        return cluster.names(RoleName.PARTITION_SERVER).get(0);
    }

    /** The same with a start of the server, which is ended as it should be. */
    Footprint withStart(ClusterProcesses cluster) {
        String server = server(cluster);
        cluster.stop(server);
        long begunNanos = System.nanoTime();
        cluster.restart(server);
        return new Footprint(
                heapBytes,
                logEntries,
                ownRowsByKind,
                files,
                diskBytes,
                Duration.ofNanos(System.nanoTime() - begunNanos));
    }

    long ownRows(char kind) {
        return ownRowsByKind.getOrDefault(kind, 0L);
    }

    /** But fences, outcomes and senders. */
    long otherOwnRows() {
        return ownRowsByKind.values().stream().mapToLong(Long::longValue).sum()
                - ownRows('F')
                - ownRows('O')
                - ownRows('S');
    }

    private static long heapBytes(ClusterProcesses cluster, String name) throws Exception {
        // Twice: what the first finds to be finalized or cleaned is let go by the second.
        for (int i = 0; i < 2; i++) {
            Process collection =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                            .toString(),
                                    Long.toString(cluster.pid(name)),
                                    "GC.run")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (collection.waitFor() != 0) {
                throw new IllegalStateException("no collection in " + name);
            }
        }
        String metrics = cluster.metrics(name).orElseThrow();
        return HEAP.matcher(metrics)
                .results()
                .map((MatchResult line) -> line.group(1))
                .mapToLong(value -> (long) Double.parseDouble(value))
                .sum();
    }

    /** Of a store that was just flushed; the process goes on with it. */
    private static Map<Character, Long> ownRows(Path rows) {
        RocksDB.loadLibrary();
        return await("rows of " + rows)
                .atMost(FOUND_WITHIN)
                .ignoreException(RocksDBException.class)
                .until(() -> count(rows), found -> !found.isEmpty());
    }

    /** A compaction may take files away meanwhile; then it is tried again. */
    private static Map<Character, Long> count(Path rows) throws RocksDBException {
        Map<Character, Long> found = new TreeMap<>();
        try (Options options = new Options();
                RocksDB store = RocksDB.openReadOnly(options, rows.toString());
                RocksIterator at = store.newIterator()) {
            for (at.seekToFirst(); at.isValid() && LocalKey.isLocal(at.key()); at.next()) {
                found.merge((char) LocalKey.kind(at.key()), 1L, Long::sum);
            }
            at.status();
        }
        return found;
    }

    private static void sizes(Path folder, List<Long> sizes) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                if (Files.isRegularFile(each)) {
                    sizes.add(Files.size(each));
                }
            }
        } catch (NoSuchFileException gone) {
            // Files come and go.
            sizes.clear();
            sizes(folder, sizes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
