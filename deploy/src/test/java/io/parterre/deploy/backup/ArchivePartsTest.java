package io.parterre.deploy.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.proto.backup.ArchiveHead;
import io.parterre.proto.backup.ArchiveSection;
import io.parterre.proto.backup.EntryRecord;
import io.parterre.server.record.ChangeRecord;
import io.parterre.server.record.ChangeRecordCodec;
import io.parterre.server.record.RowChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of archives, encrypted and not, as they lie in a repository. */
final class ArchivePartsTest {
    private static final String PART = ArchiveParts.name(1_000, true);

    @TempDir Path folder;

    private static EntryRecord record(long index, long ticks, String value) {
        RowChange put = new RowChange.Put(Key.copyOf(new byte[] {2}), value.getBytes(UTF_8));
        return EntryRecord.newBuilder()
                .setIndex(index)
                .setRecord(
                        ByteString.copyFrom(
                                ChangeRecordCodec.encode(new ChangeRecord(ticks, List.of(put)))))
                .build();
    }

    private ArchiveParts parts(Optional<byte[]> key) throws IOException {
        return new ArchiveParts(Repository.open(new FolderStore(folder.resolve("r")), key, true));
    }

    private static ArchiveIndex.Section put(ArchiveParts parts) throws IOException {
        List<SectionWriter.Written> sections = new ArrayList<>();
        sections.addAll(SectionWriter.sections(1, 0, 1, List.of(record(1, 10, "first"))));
        sections.addAll(SectionWriter.sections(2, 4, 9, List.of()));
        sections.addAll(SectionWriter.sections(3, 0, 7, List.of(record(7, 20, "secret"))));
        List<ArchiveSection> heads = parts.putData(PART, sections);
        parts.putHead(PART, ArchiveHead.newBuilder().setVersion(1).addAllSections(heads).build());
        Map<String, ArchiveHead> read = parts.heads(parts.parts());
        return new ArchiveIndex.Section(PART, 2, read.get(PART).getSections(2));
    }

    private Path data() {
        return folder.resolve("r/archive/data").resolve(PART);
    }

    @Test
    void sectionIsReadAlone_withKeyOrWithout() throws IOException {
        ArchiveParts plain = parts(Optional.empty());
        ArchiveIndex.Section third = put(plain);
        assertThat(plain.data(third).getRecordsList()).containsExactly(record(7, 20, "secret"));
        byte[] bytes = Files.readAllBytes(data());
        bytes[0] ^= 1;
        Files.write(data(), bytes);
        assertThat(plain.data(third).getRecordsCount()).as("of the others nothing").isOne();
    }

    @Test
    void sectionIsRefused_whenDamagedMissingOrOfOtherPlace() throws IOException {
        ArchiveParts sealed = parts(Optional.of(new byte[32]));
        ArchiveIndex.Section third = put(sealed);
        byte[] bytes = Files.readAllBytes(data());
        assertThat(new String(bytes, UTF_8)).doesNotContain("secret");
        assertThat(sealed.data(third).getRecordsCount()).isOne();
        assertThatExceptionOfType(BackupException.class)
                .as("the first in its place")
                .isThrownBy(
                        () ->
                                sealed.data(
                                        new ArchiveIndex.Section(
                                                PART,
                                                2,
                                                third.head().toBuilder().setOffset(0).build())));
        for (int at = (int) third.head().getOffset(); at < bytes.length; at++) {
            byte[] flipped = bytes.clone();
            flipped[at] ^= 1;
            Files.write(data(), flipped);
            assertThatExceptionOfType(BackupException.class)
                    .as("byte %d", at)
                    .isThrownBy(() -> sealed.data(third));
        }
        Files.delete(data());
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(() -> sealed.data(third))
                .withMessageContaining("is missing");
    }

    @Test
    void sectionsEnd_whereClockWasSetBack() throws IOException {
        List<SectionWriter.Written> sections =
                SectionWriter.sections(
                        1,
                        0,
                        9,
                        List.of(
                                record(1, 10, "a"),
                                record(2, 30, "b"),
                                record(2, 31, "b"),
                                record(4, 20, "c")));
        assertThat(sections)
                .extracting(each -> each.head().getAfterIndex(), each -> each.head().getLastIndex())
                .containsExactly(tuple(0L, 3L), tuple(3L, 9L));
        assertThat(sections.get(0).head().getLastTicks()).isEqualTo(31);
        assertThatExceptionOfType(BackupException.class)
                .isThrownBy(
                        () ->
                                SectionWriter.sections(
                                        1, 0, 9, List.of(record(2, 1, "a"), record(1, 2, "b"))));
    }
}
