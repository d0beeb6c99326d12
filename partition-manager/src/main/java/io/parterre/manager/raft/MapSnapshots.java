package io.parterre.manager.raft;

import io.parterre.file.DurableFiles;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterMapCodec;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;

/**
 * Snapshots as files that Ratis can find, send and delete: {@code snapshot.<term>_<index>} and its
 * checksum. A file gets its name only once all of it is on disk.
 */
final class MapSnapshots {
    private final SimpleStateMachineStorage storage;

    MapSnapshots(SimpleStateMachineStorage storage) {
        this.storage = storage;
    }

    /** Writes the map as of {@code at}. The snapshot is durable when the method returns. */
    void write(ClusterMap map, TermIndex at) throws IOException {
        File file = storage.getSnapshotFile(at.getTerm(), at.getIndex());
        Path unfinished = file.toPath().resolveSibling(file.getName() + ".tmp");
        MessageDigest digest = MD5FileUtil.newMD5();
        try (FileOutputStream out = new FileOutputStream(unfinished.toFile())) {
            OutputStream digesting =
                    new BufferedOutputStream(new DigestOutputStream(out, digest), 1 << 16);
            ClusterMapCodec.write(map, digesting);
            digesting.flush();
            out.getFD().sync();
        }
        MD5Hash checksum = MD5Hash.newInstance(digest.digest());
        // Before the rename: a snapshot without its checksum would be taken unchecked.
        MD5FileUtil.saveMD5File(file, checksum);
        Files.move(unfinished, file.toPath(), StandardCopyOption.ATOMIC_MOVE);
        DurableFiles.syncFolder(file.toPath().getParent());
        storage.updateLatestSnapshot(
                new SingleFileSnapshotInfo(new FileInfo(file.toPath(), checksum), at));
    }

    /**
     * Reads a snapshot.
     *
     * @throws IOException if it cannot be read, has no checksum or has a wrong one
     */
    static ClusterMap read(SingleFileSnapshotInfo snapshot) throws IOException {
        FileInfo file = snapshot.getFile();
        MD5Hash stored = file.getFileDigest();
        if (stored == null) {
            throw new IOException("snapshot " + file.getPath() + ": no checksum (expected: .md5)");
        }
        MessageDigest digest = MD5FileUtil.newMD5();
        ClusterMap map;
        try (InputStream in =
                new BufferedInputStream(
                        new DigestInputStream(Files.newInputStream(file.getPath()), digest),
                        1 << 16)) {
            map = ClusterMapCodec.read(in);
        }
        MD5Hash found = MD5Hash.newInstance(digest.digest());
        if (!found.equals(stored)) {
            throw new IOException(
                    "snapshot "
                            + file.getPath()
                            + ": checksum "
                            + found
                            + " (expected: "
                            + stored
                            + ")");
        }
        return map;
    }
}
