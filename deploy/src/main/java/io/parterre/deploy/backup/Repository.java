package io.parterre.deploy.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.BackupPlan;
import io.parterre.proto.backup.BackupUnit;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.Piece;
import io.parterre.release.NewerReleaseException;
import io.parterre.release.UnknownFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Backups in a store of objects:
 *
 * <pre>
 * parterre-repository       whether it is encrypted, and a text that shows the key to be right
 * chunks/HH/ID, pieces/HH/ID  named by their content; written once, shared
 * backups/ID/plan           a backup was begun
 * backups/ID/units/N        its unit N is read
 * backups/ID/manifest       it is complete
 * archive/...               later changes, see {@link ArchiveParts}
 * pruning/ID                one prune is removing objects that no backup needs
 * </pre>
 *
 * <p>Thread-safe; calls block.
 */
public final class Repository implements AutoCloseable {
    /** Version of the messages in the repository. */
    static final int VERSION = 1;

    private static final String MARKER = "parterre-repository";
    private static final byte[] MARKER_TEXT = "parterre backups 1".getBytes(UTF_8);
    private static final String BACKUPS = "backups/";
    private static final String MANIFEST = "/manifest";
    private static final String PLAN = "/plan";
    private static final String PRUNING = "pruning/";
    private static final List<String> KINDS = List.of("chunks", "pieces");

    private final ObjectStore store;
    private final Seal seal;
    private final AtomicLong addedBytes = new AtomicLong();

    private Repository(ObjectStore store, Seal seal) {
        this.store = store;
        this.seal = seal;
    }

    /**
     * Opens a repository.
     *
     * @param store closed with the repository
     * @param key key of the repository; empty if it is not encrypted
     * @param create whether the repository may be created
     * @throws BackupException if the repository has another key, or does not exist
     */
    public static Repository open(ObjectStore store, Optional<byte[]> key, boolean create)
            throws IOException {
        Repository repository = new Repository(store, new Seal(key));
        Optional<byte[]> marker = store.get(MARKER);
        if (marker.isEmpty()) {
            if (!create) {
                throw BackupException.refused("there is no repository of backups");
            }
            if (!store.list("").isEmpty()) {
                throw BackupException.refused(
                        "it holds something else than backups (expected: an empty place)");
            }
            store.put(MARKER, repository.seal.close(MARKER, MARKER_TEXT));
            return repository;
        }
        byte[] text;
        try {
            text = repository.seal.open(MARKER, marker.get());
        } catch (BackupException wrong) {
            throw BackupException.refused(
                    key.isPresent()
                            ? "the key is not that of the repository, or that is not encrypted"
                            : "the repository is encrypted (expected: --key-file), or damaged");
        }
        if (!Arrays.equals(text, MARKER_TEXT)) {
            throw BackupException.refused("the repository is of an unknown version");
        }
        return repository;
    }

    /** Returns the bytes written since the repository was opened. */
    long addedBytes() {
        return addedBytes.get();
    }

    void put(String name, byte[] content) throws IOException {
        byte[] object = seal.close(name, content);
        store.put(name, object);
        addedBytes.addAndGet(object.length);
    }

    private Optional<byte[]> get(String name) throws IOException {
        Optional<byte[]> object = store.get(name);
        return object.isPresent() ? Optional.of(seal.open(name, object.get())) : Optional.empty();
    }

    private static String named(String kind, byte[] id) {
        String hex = HexFormat.of().formatHex(id);
        return kind + "/" + hex.substring(0, 2) + "/" + hex;
    }

    /**
     * Writes an object that is named by its content, unless it exists, and returns its id.
     *
     * @param checked whether an existing object is read, and written again if it is damaged
     */
    private ByteString putOnce(String kind, byte[] content, boolean checked) throws IOException {
        byte[] id = seal.id(content);
        String name = named(kind, id);
        ByteString named = ByteString.copyFrom(id);
        if (!store.has(name) || checked && !isUndamaged(kind, named)) {
            put(name, content);
        }
        return named;
    }

    private boolean isUndamaged(String kind, ByteString id) throws IOException {
        try {
            getNamed(kind, id);
            return true;
        } catch (BackupException damaged) {
            return false;
        }
    }

    private byte[] getNamed(String kind, ByteString id) throws IOException {
        String name = named(kind, id.toByteArray());
        byte[] content =
                get(name).orElseThrow(() -> BackupException.damaged(name + ": is missing"));
        if (!Arrays.equals(seal.id(content), id.toByteArray())) {
            throw BackupException.damaged(name + ": holds something else");
        }
        return content;
    }

    /**
     * Writes rows and returns the id of the chunk.
     *
     * @param checked whether an existing chunk is read, and written again if it is damaged
     */
    ByteString putChunk(byte[] rows, boolean checked) throws IOException {
        return putOnce("chunks", rows, checked);
    }

    /**
     * Returns the rows of a chunk, by EntityPage.
     *
     * @throws BackupException if it is missing or damaged
     */
    byte[] chunk(Chunk chunk) throws IOException {
        return getNamed("chunks", chunk.getId());
    }

    /** Writes a piece, as {@link #putChunk}, and returns its id. */
    ByteString putPiece(Piece piece, boolean checked) throws IOException {
        return putOnce("pieces", piece.toByteArray(), checked);
    }

    /** Returns the piece with an id; fails as {@link #chunk}. */
    Piece piece(ByteString id) throws IOException {
        return parsed(named("pieces", id.toByteArray()), getNamed("pieces", id), Piece.parser());
    }

    /**
     * Records that a backup is begun.
     *
     * @throws BackupException if objects are being removed
     */
    void putPlan(BackupPlan plan) throws IOException {
        put(BACKUPS + plan.getBackupId() + PLAN, plan.toByteArray());
        try {
            requireNoPruning();
        } catch (BackupException beingPruned) {
            store.delete(BACKUPS + plan.getBackupId() + PLAN);
            throw beingPruned;
        }
    }

    /**
     * Checks that no objects are being removed.
     *
     * @throws BackupException if they are
     */
    void requireNoPruning() throws IOException {
        if (!store.list(PRUNING).isEmpty()) {
            throw pruned();
        }
    }

    private static BackupException pruned() {
        return BackupException.refused(
                "objects are being removed (expected: after 'backup prune' has ended; if it was"
                        + " killed: 'backup prune --after-killed')");
    }

    Optional<BackupPlan> plan(String backupId) throws IOException {
        return message(BACKUPS + backupId + PLAN, BackupPlan.parser());
    }

    void putUnit(String backupId, int number, BackupUnit unit) throws IOException {
        put(unitName(backupId, number), unit.toByteArray());
    }

    Optional<BackupUnit> unit(String backupId, int number) throws IOException {
        return message(unitName(backupId, number), BackupUnit.parser());
    }

    private static String unitName(String backupId, int number) {
        return BACKUPS + backupId + "/units/" + String.format("%08d", number);
    }

    void putManifest(BackupManifest manifest) throws IOException {
        put(BACKUPS + manifest.getBackupId() + MANIFEST, manifest.toByteArray());
    }

    /** Returns the manifest of a complete backup; empty if it is incomplete or does not exist. */
    public Optional<BackupManifest> manifest(String backupId) throws IOException {
        String name = BACKUPS + backupId + MANIFEST;
        Optional<BackupManifest> manifest = message(name, BackupManifest.parser());
        if (manifest.isPresent()
                && (manifest.get().getVersion() != VERSION
                        || !manifest.get().getBackupId().equals(backupId))) {
            throw BackupException.damaged(name + ": of another version, or of another backup");
        }
        return manifest;
    }

    /** Removes what was needed only while the backup was made. */
    void forgetProgress(String backupId) throws IOException {
        for (String name : store.list(BACKUPS + backupId + "/units/")) {
            store.delete(name);
        }
        store.delete(BACKUPS + backupId + PLAN);
    }

    /**
     * Removes a backup. Objects shared with other backups stay; its other objects stay until the
     * next prune.
     */
    public void delete(String backupId) throws IOException {
        if (!backupIds().contains(backupId)) {
            throw BackupException.refused("there is no backup " + backupId);
        }
        store.delete(BACKUPS + backupId + MANIFEST);
        forgetProgress(backupId);
    }

    /**
     * Records that objects are being removed. Of two prunes that begin at once, both may be
     * refused.
     *
     * @return marker for {@link #endPruning}
     * @throws BackupException if objects are being removed already
     */
    String beginPruning() throws IOException {
        String marker = PRUNING + UUID.randomUUID();
        put(marker, new byte[0]);
        if (store.list(PRUNING).equals(List.of(marker))) {
            return marker;
        }
        store.delete(marker);
        throw pruned();
    }

    void endPruning(String marker) throws IOException {
        store.delete(marker);
    }

    /** Removes the markers of all prunes; none of them may still run. */
    void forgetPruning() throws IOException {
        for (String marker : store.list(PRUNING)) {
            store.delete(marker);
        }
    }

    /** An object that is named by its content. */
    record Named(String name, ByteString id) {}

    /** Returns all objects that are named by their content. */
    List<Named> contents() throws IOException {
        List<Named> contents = new ArrayList<>();
        for (String kind : KINDS) {
            for (String name : store.list(kind + "/")) {
                String hex = name.substring(name.lastIndexOf('/') + 1);
                contents.add(new Named(name, ByteString.copyFrom(HexFormat.of().parseHex(hex))));
            }
        }
        return contents;
    }

    void remove(Named object) throws IOException {
        store.delete(object.name());
    }

    /** Returns the ids of all backups that were begun, the oldest first. */
    public List<String> backupIds() throws IOException {
        TreeSet<String> ids = new TreeSet<>();
        for (String name : store.list(BACKUPS)) {
            ids.add(name.substring(BACKUPS.length()).split("/")[0]);
        }
        return List.copyOf(ids);
    }

    /** Returns the newest complete backup; empty if there is none. */
    public Optional<BackupManifest> newest() throws IOException {
        List<String> ids = backupIds();
        for (int i = ids.size() - 1; i >= 0; i--) {
            Optional<BackupManifest> manifest = manifest(ids.get(i));
            if (manifest.isPresent()) {
                return manifest;
            }
        }
        return Optional.empty();
    }

    ObjectStore store() {
        return store;
    }

    Seal seal() {
        return seal;
    }

    <M extends Message> Optional<M> message(String name, Parser<M> parser) throws IOException {
        Optional<byte[]> content = get(name);
        return content.isPresent()
                ? Optional.of(parsed(name, content.get(), parser))
                : Optional.empty();
    }

    static <M extends Message> M parsed(String name, byte[] content, Parser<M> parser)
            throws BackupException {
        try {
            M message = parser.parseFrom(content);
            UnknownFields.refuse(name, message);
            return message;
        } catch (InvalidProtocolBufferException malformed) {
            throw BackupException.damaged(name + ": malformed", malformed);
        } catch (NewerReleaseException newer) {
            throw BackupException.refused(newer.getMessage());
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
