package io.parterre.server.store;

import io.parterre.file.DurableFiles;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.NewerReleaseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The folder that holds everything a node keeps, locked against a second process.
 *
 * <pre>
 * LOCK       held while the node runs
 * NODE       format of the folder, which is a feature level; node id, incarnation, cluster id
 * rows/      the store
 * raft/      Raft logs, one folder per group
 * APPLYING   entries that are being applied, for the next start
 * CRASHES    processes that ended early, and at which entries
 * installs/  copies of replicas on their way into the store
 * DAMAGED    reason why the store must not be used; exists only in that case
 * damaged/   data that was discarded because it was damaged
 * </pre>
 *
 * <p>Safe for any thread.
 */
public final class DataFolder implements AutoCloseable {
    private static final String NODE_FILE = "NODE";
    private static final String DAMAGE_FILE = "DAMAGED";

    private final Path folder;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final DamagedArchive aside;
    private NodeIdentity identity;
    private FeatureLevel level;

    private DataFolder(
            Path folder,
            FileChannel lockFile,
            FileLock lock,
            NodeIdentity identity,
            FeatureLevel level) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.lock = lock;
        this.aside = new DamagedArchive(folder.resolve("damaged"));
        this.identity = identity;
        this.level = level;
    }

    /**
     * Locks the folder and reads its identity; makes a new folder if there is none.
     *
     * @param newNodeId supplies the id of a node without data
     * @throws IOException if another process holds the folder, its format is too new, or it cannot
     *     be used
     */
    public static DataFolder open(Path folder, Supplier<NodeId> newNodeId) throws IOException {
        Files.createDirectories(folder);
        FileChannel lockFile =
                FileChannel.open(
                        folder.resolve("LOCK"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        try {
            FileLock lock = tryLock(lockFile);
            if (lock == null) {
                throw new IOException("data folder in use: " + folder);
            }
            NodeIdentity identity;
            FeatureLevel level = FeatureLevel.FIRST;
            if (Files.exists(folder.resolve(NODE_FILE))) {
                Map<String, String> fields = fields(folder);
                level = level(folder, fields);
                identity = identity(folder, fields);
                if (identity.incarnation().isEmpty()) {
                    // The folder was made by software without incarnations.
                    identity =
                            new NodeIdentity(
                                    identity.nodeId(), newIncarnation(), identity.clusterId());
                    write(folder, identity, level);
                }
            } else {
                identity = new NodeIdentity(newNodeId.get(), newIncarnation(), Optional.empty());
                write(folder, identity, level);
            }
            return new DataFolder(folder, lockFile, lock, identity, level);
        } catch (IOException | RuntimeException failure) {
            lockFile.close();
            throw failure;
        }
    }

    /**
     * Returns the node id that a folder keeps, whether its node runs or not; empty: the folder is
     * none of a node.
     *
     * @throws IOException if the folder cannot be read
     */
    public static Optional<NodeId> nodeId(Path folder) throws IOException {
        return Files.exists(folder.resolve(NODE_FILE))
                ? Optional.of(identity(folder, fields(folder)).nodeId())
                : Optional.empty();
    }

    private static String newIncarnation() {
        return UUID.randomUUID().toString();
    }

    private static FileLock tryLock(FileChannel lockFile) throws IOException {
        try {
            return lockFile.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    public Path rows() {
        return folder.resolve("rows");
    }

    public Path raft() {
        return folder.resolve("raft");
    }

    public Path installs() {
        return folder.resolve("installs");
    }

    /** Returns the archive for discarded damaged data. */
    public DamagedArchive aside() {
        return aside;
    }

    /**
     * Returns the reason why the store must not be used; empty: it may be used, as far as known.
     */
    public synchronized Optional<String> damage() throws IOException {
        Path file = folder.resolve(DAMAGE_FILE);
        return Files.exists(file)
                ? Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip())
                : Optional.empty();
    }

    /** Records that the store must not be used any more. Durable when this method returns. */
    public synchronized void markDamaged(String why) throws IOException {
        DurableFiles.replace(
                folder.resolve(DAMAGE_FILE), (why + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Discards all data of the node. The node then counts as one that lost its disk, with a new
     * incarnation. If this was interrupted, the store is still marked as damaged, and the call has
     * to be repeated.
     */
    public synchronized void rebuildStore() throws IOException {
        NodeIdentity renewed =
                new NodeIdentity(identity.nodeId(), newIncarnation(), identity.clusterId());
        write(folder, renewed, level);
        identity = renewed;
        aside.take("store", List.of(rows(), raft(), installs()));
        Files.delete(folder.resolve(DAMAGE_FILE));
        DurableFiles.syncFolder(folder);
    }

    public synchronized NodeIdentity identity() {
        return identity;
    }

    /**
     * Assigns the folder to the cluster, for good.
     *
     * @throws IOException if the folder belongs to another cluster
     */
    public synchronized void join(String clusterId) throws IOException {
        if (identity.clusterId().isPresent()) {
            String own = identity.clusterId().get();
            if (!own.equals(clusterId)) {
                throw new IOException(
                        "data folder "
                                + folder
                                + " belongs to cluster "
                                + own
                                + " (expected: "
                                + clusterId
                                + ")");
            }
            return;
        }
        NodeIdentity joined =
                new NodeIdentity(identity.nodeId(), identity.incarnation(), Optional.of(clusterId));
        write(folder, joined, level);
        identity = joined;
    }

    /** Returns the last known feature level of the cluster, which the folder's content may need. */
    public synchronized FeatureLevel level() {
        return level;
    }

    /**
     * Raises the folder's format to a feature level, before anything is written into the folder
     * that needs the level. Releases that do not read the level refuse the folder from then on.
     * Durable when this method returns.
     */
    public synchronized void raise(FeatureLevel reached) throws IOException {
        if (reached.isAbove(level)) {
            write(folder, identity, reached);
            level = reached;
        }
    }

    private static Map<String, String> fields(Path folder) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : Files.readAllLines(folder.resolve(NODE_FILE))) {
            int split = line.indexOf('=');
            if (split > 0) {
                fields.put(line.substring(0, split), line.substring(split + 1));
            }
        }
        return fields;
    }

    private static NodeIdentity identity(Path folder, Map<String, String> fields)
            throws IOException {
        Path file = folder.resolve(NODE_FILE);
        try {
            return new NodeIdentity(
                    new NodeId(fields.getOrDefault("node", "")),
                    fields.getOrDefault("incarnation", ""),
                    Optional.ofNullable(fields.get("cluster")));
        } catch (IllegalArgumentException malformed) {
            throw new IOException(file + ": " + malformed.getMessage(), malformed);
        }
    }

    private static FeatureLevel level(Path folder, Map<String, String> fields) throws IOException {
        Path file = folder.resolve(NODE_FILE);
        String text = fields.getOrDefault("format", "");
        FeatureLevel level;
        try {
            level = new FeatureLevel(Integer.parseInt(text));
        } catch (IllegalArgumentException malformed) {
            throw new IOException(
                    file + ": format '" + text + "' (expected: a number from 1 on)", malformed);
        }
        if (!FeatureLevels.OF_RELEASE.reads(level)) {
            NewerReleaseException newer =
                    new NewerReleaseException(
                            file
                                    + ": format "
                                    + level
                                    + " was written by a newer release (expected: "
                                    + FeatureLevels.OF_RELEASE
                                    + ")");
            throw new IOException(newer.getMessage(), newer);
        }
        return level;
    }

    /** Replaces the file atomically: a crash leaves the old file or the new one. */
    private static void write(Path folder, NodeIdentity identity, FeatureLevel level)
            throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("format=").append(level).append('\n');
        text.append("node=").append(identity.nodeId()).append('\n');
        text.append("incarnation=").append(identity.incarnation()).append('\n');
        identity.clusterId().ifPresent(id -> text.append("cluster=").append(id).append('\n'));
        DurableFiles.replace(
                folder.resolve(NODE_FILE), text.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        lock.release();
        lockFile.close();
    }
}
