package io.parterre.deploy.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is too old to be needed. */
final class ArchiveRetentionTest {
    private static final Instant NOW = Instant.parse("2026-02-01T00:00:00Z");

    private static ArchiveRetention.Backup backup(String id, int daysAgo) {
        long begun = NOW.minus(Duration.ofDays(daysAgo)).toEpochMilli();
        return new ArchiveRetention.Backup(id, begun, begun + 60_000);
    }

    private static String part(int hoursAgo, boolean complete) {
        return ArchiveParts.name(NOW.minus(Duration.ofHours(hoursAgo)).toEpochMilli(), complete);
    }

    private static final List<ArchiveRetention.Backup> BACKUPS =
            List.of(backup("a", 9), backup("b", 8), backup("c", 6), backup("d", 1));

    @Test
    void pruneKeepsNewestBackup_fromBeforeWindow() {
        ArchiveRetention week =
                ArchiveRetention.of(
                        BACKUPS, List.of(), List.of(), NOW, Optional.of(Duration.ofDays(7)));
        assertThat(week.backups()).containsExactly("a");
        assertThat(
                        ArchiveRetention.of(
                                        BACKUPS,
                                        List.of(),
                                        List.of(),
                                        NOW,
                                        Optional.of(Duration.ofHours(2)))
                                .backups())
                .containsExactly("a", "b", "c");
        assertThat(
                        ArchiveRetention.of(BACKUPS, List.of(), List.of(), NOW, Optional.empty())
                                .backups())
                .isEmpty();
    }

    @Test
    void pruneKeepsNewestCompleteParts_andRemovesOldOnes() {
        List<String> parts =
                List.of(
                        part(24 * 30, true),
                        part(24 * 20, false),
                        part(24 * 8 + 1, false),
                        part(24 * 7, true),
                        part(24, true),
                        part(1, false));
        ArchiveRetention kept =
                ArchiveRetention.of(BACKUPS, parts, parts, NOW, Optional.of(Duration.ofDays(7)));
        assertThat(kept.parts()).containsExactlyInAnyOrder(parts.get(0), parts.get(1));
        List<String> still =
                List.of(part(24 * 30, true), part(24 * 29, true), part(24 * 28, false));
        assertThat(ArchiveRetention.of(BACKUPS, still, still, NOW, Optional.empty()).parts())
                .as("an archive that stood still goes on from there")
                .isEmpty();
        assertThat(ArchiveRetention.of(List.of(), parts, parts, NOW, Optional.empty()).parts())
                .as("a backup may be under way")
                .isEmpty();
    }

    @Test
    void pruneRemovesDataWithoutHead_whenOlderThanDay() {
        String old = part(25, false);
        String young = part(1, false);
        assertThat(
                        ArchiveRetention.of(
                                        List.of(),
                                        List.of(),
                                        List.of(old, young),
                                        NOW,
                                        Optional.empty())
                                .parts())
                .containsExactly(old);
    }
}
