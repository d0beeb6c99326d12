package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What logs take between two looks at the disk. */
final class EntryRoomTest {
    private final EntryRoom room = new EntryRoom();

    @Test
    void entriesAreTaken_untilRoomSeenLastIsUsedUp() {
        assertThat(room.take(1L << 40)).isTrue();
        room.seen(10);
        assertThat(room.take(6)).isTrue();
        assertThat(room.take(5)).isFalse();
        assertThat(room.take(4)).isTrue();
        assertThat(room.take(1)).isFalse();
    }

    @Test
    void nodeRefuses_untilWhatWasRefusedWouldFit() {
        room.seen(10);
        assertThat(room.isRefusing()).isFalse();
        assertThat(room.take(20)).isFalse();
        assertThat(room.take(1)).isTrue();
        assertThat(room.isRefusing()).isTrue();
        room.seen(19);
        assertThat(room.isRefusing()).isTrue();
        room.seen(20);
        assertThat(room.isRefusing()).isFalse();
    }

    @Test
    void nodeRefusesNoMore_whenNothingLargeCameForTenLooks() {
        room.seen(10);
        assertThat(room.take(20)).isFalse();
        for (int look = 0; look < 10; look++) {
            room.seen(10);
            assertThat(room.isRefusing()).isTrue();
        }
        room.seen(10);
        assertThat(room.isRefusing()).isFalse();
    }
}
