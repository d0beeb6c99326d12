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
 * chunks/HH/ID, pieces/HH/ID  by what they hold; written once, shared
 * backups/ID/plan           a backup was begun
 * backups/ID/units/N        its unit N is read
 * backups/ID/manifest       it is whole
 * archive/...               changes since, see {@link ArchiveParts}
 * pruning/ID                what nothing needs is being removed, by one prune
 * </pre>
 *
 * <p>Safe for any thread; the caller's thread waits.
 */
public final class Repository implements AutoCloseable {
    /** Of the messages in it. */
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
     * @param store closed with it
     * @param key empty: it is not encrypted
     * @param create whether it may be made
     * @throws BackupException if it has another key, or there is none
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

    /** Bytes that were put since it was opened. */
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
     * Puts what bears the name of its content, unless it is there; the name.
     *
     * @param checked whether what is there is read, and put again if it is damaged
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
     * Puts rows; the name of the chunk.
     *
     * @param checked whether a chunk that is there is read, and put again if it is damaged
     */
    ByteString putChunk(byte[] rows, boolean checked) throws IOException {
        return putOnce("chunks", rows, checked);
    }

    /**
     * Rows of a chunk, by EntityPage.
     *
     * @throws BackupException if it is missing or damaged
     */
    byte[] chunk(Chunk chunk) throws IOException {
        return getNamed("chunks", chunk.getId());
    }

    /** Puts a piece, as {@link #putChunk}; its name. */
    ByteString putPiece(Piece piece, boolean checked) throws IOException {
        return putOnce("pieces", piece.toByteArray(), checked);
    }

    /** The piece of a name, as {@link #chunk}. */
    Piece piece(ByteString id) throws IOException {
        return parsed(named("pieces", id.toByteArray()), getNamed("pieces", id), Piece.parser());
    }

    /**
     * Says that a backup is begun.
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

    /** Of a whole backup; empty: it is not whole, or there is none. */
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

    /** What was only needed while it was made. */
    void forgetProgress(String backupId) throws IOException {
        for (String name : store.list(BACKUPS + backupId + "/units/")) {
            store.delete(name);
        }
        store.delete(BACKUPS + backupId + PLAN);
    }

    /** Removes a backup; what others share with it stays, and the rest until it is pruned. */
    public void delete(String backupId) throws IOException {
        if (!backupIds().contains(backupId)) {
            throw BackupException.refused("there is no backup " + backupId);
        }
        store.delete(BACKUPS + backupId + MANIFEST);
        forgetProgress(backupId);
    }

    /**
     * Says that objects are being removed. Of two that begin at once, both may be refused.
     *
     * @return for {@link #endPruning}
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

    /** Forgets all that remove objects; none of them may run any more. */
    void forgetPruning() throws IOException {
        for (String marker : store.list(PRUNING)) {
            store.delete(marker);
        }
    }

    /** An object that bears the name of its content. */
    record Named(String name, ByteString id) {}

    /** All objects that bear the name of their content. */
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

    /** All that were begun, the oldest first. */
    public List<String> backupIds() throws IOException {
        TreeSet<String> ids = new TreeSet<>();
        for (String name : store.list(BACKUPS)) {
            ids.add(name.substring(BACKUPS.length()).split("/")[0]);
        }
        return List.copyOf(ids);
    }

    /** The newest that is whole; empty: there is none. */
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
