package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.parterre.proto.backup.ArchiveHead;
import io.parterre.proto.backup.ArchiveIdentity;
import io.parterre.proto.backup.ArchiveSection;
import io.parterre.proto.backup.SectionData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * An archive's parts in a repository:
 *
 * <pre>
 * archive/identity          which cluster's changes it holds
 * archive/heads/PART        a part's contents, and up to when the archive is complete
 * archive/data/PART         sections, each sealed separately, one after the other
 * </pre>
 *
 * <p>A part's name begins with the milliseconds at which it was made. Data are written first, and
 * do not count without a head. Thread-safe; calls block.
 */
final class ArchiveParts {
    private static final String IDENTITY = "archive/identity";
    private static final String HEADS = "archive/heads/";
    private static final String DATA = "archive/data/";

    /** Suffix of the name of a part whose head names all ranges. */
    private static final String COMPLETE = "-complete";

    private static final int MILLIS_DIGITS = 15;
    private static final int READS = 16;

    private final Repository repository;

    ArchiveParts(Repository repository) {
        this.repository = repository;
    }

    /** Returns the archive's identity, with its cluster; empty if there is no archive. */
    Optional<ArchiveIdentity> identity() throws IOException {
        return repository.message(IDENTITY, ArchiveIdentity.parser());
    }

    /**
     * Returns the identity of a cluster's archive, which is created if there is none.
     *
     * @throws BackupException if the archive is another cluster's
     */
    ArchiveIdentity identity(String clusterId) throws IOException {
        Optional<ArchiveIdentity> there = identity();
        if (there.isEmpty()) {
            UUID random = UUID.randomUUID();
            ArchiveIdentity made =
                    ArchiveIdentity.newBuilder()
                            .setVersion(Repository.VERSION)
                            .setArchiveId(ByteString.copyFromUtf8(random.toString()))
                            .setClusterId(clusterId)
                            .build();
            repository.put(IDENTITY, made.toByteArray());
            return made;
        }
        if (!there.get().getClusterId().equals(clusterId)) {
            throw BackupException.refused(
                    "the archive is of another cluster, " + there.get().getClusterId());
        }
        return there.get();
    }

    /** Returns a name for a part that is made now. */
    static String name(long madeMillis, boolean complete) {
        return String.format(Locale.ROOT, "%0" + MILLIS_DIGITS + "d-", madeMillis)
                + UUID.randomUUID().toString().substring(0, 8)
                + (complete ? COMPLETE : "");
    }

    /** Returns when a part was made. */
    static long madeMillis(String part) {
        return Long.parseLong(part.substring(0, MILLIS_DIGITS));
    }

    static boolean isComplete(String part) {
        return part.endsWith(COMPLETE);
    }

    /** Writes the data of a part and returns the heads of its sections, with their places. */
    List<ArchiveSection> putData(String part, List<SectionWriter.Written> sections)
            throws IOException {
        ByteArrayOutputStream object = new ByteArrayOutputStream();
        List<ArchiveSection> heads = new ArrayList<>();
        for (int i = 0; i < sections.size(); i++) {
            SectionWriter.Written each = sections.get(i);
            if (each.data().getRecordsCount() == 0) {
                heads.add(each.head());
                continue;
            }
            byte[] content = each.data().toByteArray();
            byte[] sealed = repository.seal().close(sealName(part, i), content);
            heads.add(
                    each.head().toBuilder()
                            .setOffset(object.size())
                            .setLength(sealed.length)
                            .setContentId(ByteString.copyFrom(repository.seal().id(content)))
                            .build());
            object.write(sealed);
        }
        if (object.size() > 0) {
            repository.store().put(DATA + part, object.toByteArray());
        }
        return heads;
    }

    private static String sealName(String part, int number) {
        return DATA + part + "#" + number;
    }

    void putHead(String part, ArchiveHead head) throws IOException {
        repository.put(HEADS + part, head.toByteArray());
    }

    /**
     * Reads a head.
     *
     * @throws BackupException if it is missing or damaged
     */
    ArchiveHead head(String part) throws IOException {
        ArchiveHead head =
                repository
                        .message(HEADS + part, ArchiveHead.parser())
                        .orElseThrow(() -> BackupException.damaged(HEADS + part + ": is missing"));
        if (head.getVersion() != Repository.VERSION) {
            throw BackupException.damaged(HEADS + part + ": of another version");
        }
        return head;
    }

    /** Returns the names of all parts with heads, the oldest first. */
    List<String> parts() throws IOException {
        return repository.store().list(HEADS).stream()
                .map(name -> name.substring(HEADS.length()))
                .sorted()
                .toList();
    }

    /** Returns the names of all parts with data. */
    List<String> dataParts() throws IOException {
        return repository.store().list(DATA).stream()
                .map(name -> name.substring(DATA.length()))
                .sorted()
                .toList();
    }

    /** Reads the heads of these parts. */
    Map<String, ArchiveHead> heads(List<String> parts) throws IOException {
        Map<String, ArchiveHead> heads = new ConcurrentSkipListMap<>();
        if (!parts.isEmpty()) {
            Workers.each(parts, READS, part -> heads.put(part, head(part)));
        }
        return new TreeMap<>(heads);
    }

    /**
     * Reads the records of a section.
     *
     * @throws BackupException if they are missing or damaged
     */
    SectionData data(ArchiveIndex.Section section) throws IOException {
        if (section.head().getLength() == 0) {
            return SectionData.getDefaultInstance();
        }
        String name = sealName(section.part(), section.number());
        byte[] sealed =
                repository
                        .store()
                        .getPart(
                                DATA + section.part(),
                                section.head().getOffset(),
                                section.head().getLength())
                        .orElseThrow(() -> BackupException.damaged(name + ": is missing"));
        byte[] content = repository.seal().open(name, sealed);
        if (!Arrays.equals(
                repository.seal().id(content), section.head().getContentId().toByteArray())) {
            throw BackupException.damaged(name + ": holds something else");
        }
        return Repository.parsed(name, content, SectionData.parser());
    }

    /** Removes a part, its head first, because the head makes the data count. */
    void delete(String part) throws IOException {
        repository.store().delete(HEADS + part);
        repository.store().delete(DATA + part);
    }
}
