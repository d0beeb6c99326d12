package io.parterre.raftlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class LogTailTest {
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final LogTail WHOLE = new LogTail.Whole();

    private static final int TERM = 3;

    private final Random random = new Random(5);
    private int lastIndex;

    /** The next entry of the log, with a message of this length. */
    private byte[] entry(int length) {
        lastIndex++;
        return entry(TERM, lastIndex, length);
    }

    private byte[] entry(int term, int index, int length) {
        byte[] message = new byte[length];
        for (int i = 0; i < length; i++) {
            message[i] = (byte) (1 + random.nextInt(255));
        }
        message[0] = 0x08;
        message[1] = (byte) term;
        message[2] = 0x10;
        message[3] = (byte) index;
        return framed(message);
    }

    private static byte[] framed(byte[] message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int rest = message.length;
        for (; rest >= 0x80; rest >>>= 7) {
            out.write(rest & 0x7f | 0x80);
        }
        out.write(rest);
        out.writeBytes(message);
        CRC32C checksum = new CRC32C();
        checksum.update(out.toByteArray());
        out.writeBytes(ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] zeros(int count) {
        return new byte[count];
    }

    @Test
    void logTailIsWhole_whenZeroPaddingFollowsEntries() {
        byte[] entries = join(HEADER, entry(40), entry(3000));

        assertThat(LogTail.of(entries)).isEqualTo(WHOLE);
        assertThat(LogTail.of(join(entries, zeros(1)))).isEqualTo(WHOLE);
        assertThat(LogTail.of(join(entries, zeros(100_000)))).isEqualTo(WHOLE);
        assertThat(LogTail.of(join(HEADER, zeros(100)))).isEqualTo(WHOLE);
    }

    @Test
    void logTailIsWhole_whenHeaderIsTruncated() {
        for (int length = 0; length <= HEADER.length; length++) {
            byte[] part = Arrays.copyOf(HEADER, length);
            assertThat(LogTail.of(part)).isEqualTo(WHOLE);
            assertThat(LogTail.of(join(part, zeros(1000)))).isEqualTo(WHOLE);
        }
    }

    @Test
    void logTailIsCorrupt_whenHeaderIsUnknown() {
        assertThat(LogTail.of(join("RaftLog2".getBytes(StandardCharsets.US_ASCII), entry(40))))
                .isInstanceOf(LogTail.Damaged.class);
    }

    @Test
    void logTailIsTorn_whenLastEntryIsTruncatedAtAnyByte() {
        byte[] before = join(HEADER, entry(40), entry(300));
        byte[] last = entry(2000);
        for (int length = 1; length < last.length; length++) {
            byte[] cut = join(before, Arrays.copyOf(last, length));
            assertThat(LogTail.of(cut)).as("length %s", length).isEqualTo(torn(before.length));
        }
    }

    @Test
    void logTailIsTorn_whenLastEntryLacksSectors() {
        byte[] before = join(HEADER, entry(40), entry(300));
        byte[] whole = join(before, entry(4000), zeros(10_000));
        int end = before.length + 4000 + 2 + 4;
        for (int from = before.length; from < end; from = (from / 512 + 1) * 512) {
            byte[] torn = whole.clone();
            Arrays.fill(torn, from, Math.min(end, (from / 512 + 1) * 512), (byte) 0);
            assertThat(LogTail.of(torn)).as("from %s", from).isEqualTo(torn(before.length));
            Arrays.fill(torn, from, end, (byte) 0);
            assertThat(LogTail.of(torn))
                    .as("all from %s", from)
                    .isEqualTo(from == before.length ? WHOLE : torn(before.length));
        }
    }

    @Test
    void allEntriesOfOneWriteAreTorn_whenSomeLackBytes() {
        byte[] before = join(HEADER, entry(40));
        byte[] torn = join(before, entry(600), entry(600), entry(600));
        Arrays.fill(torn, before.length, before.length + 100, (byte) 0);
        Arrays.fill(torn, before.length + 700, before.length + 750, (byte) 0);
        byte[] cut = Arrays.copyOf(torn, torn.length - 10);

        assertThat(LogTail.of(cut)).isEqualTo(torn(before.length));
    }

    @Test
    void logTailIsTorn_whenGarbageFollowsLastEntry() {
        byte[] before = join(HEADER, entry(40), entry(300));
        for (int seed = 0; seed < 500; seed++) {
            byte[] garbage = new byte[1 + random.nextInt(3000)];
            random.nextBytes(garbage);
            // An entry would begin otherwise.
            Arrays.fill(garbage, 0, Math.min(6, garbage.length), (byte) 0xff);
            assertThat(LogTail.of(join(before, garbage))).isEqualTo(torn(before.length));
            assertThat(LogTail.of(join(before, zeros(600), garbage)))
                    .isEqualTo(torn(before.length));
        }
    }

    @Test
    void logTailIsCorrupt_whenBitFlipsBeforeLastEntry() {
        byte[] first = entry(40);
        byte[] whole = join(HEADER, first, entry(300), entry(50), zeros(2000));
        int lastAt = HEADER.length + first.length + 300 + 2 + 4;
        int secondAt = HEADER.length + first.length;
        for (int at = HEADER.length; at < lastAt; at++) {
            int brokenAt = at < secondAt ? HEADER.length : secondAt;
            for (int bit = 0; bit < 8; bit++) {
                byte[] flipped = whole.clone();
                flipped[at] ^= (byte) (1 << bit);
                assertThat(LogTail.of(flipped))
                        .as("byte %s bit %s", at, bit)
                        .isInstanceOfSatisfying(
                                LogTail.Damaged.class,
                                damage -> assertThat(damage.offset()).isEqualTo(brokenAt));
            }
        }
    }

    @Test
    void logTailIsCorrupt_whenBitFlipsInFullyWrittenLastEntry() {
        byte[] before = join(HEADER, entry(40));
        byte[] whole = join(before, entry(2000), zeros(3000));
        for (int at = before.length + 4; at < before.length + 2006; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            assertThat(LogTail.of(flipped))
                    .as("byte %s", at)
                    .isEqualTo(
                            new LogTail.Damaged(
                                    before.length,
                                    "it was written in full and reads differently now"));
        }
    }

    @Test
    void logTailIsCorrupt_whenContentImitatesEntryStarts() {
        byte[] before = join(HEADER, entry(40));
        byte[] start = {(byte) 0x80, (byte) 0x80, (byte) 0x80, 0x01, 0x08, TERM, 0x10, 3};
        byte[] hostile = new byte[8 << 20];
        // Wherever one looks, the next entry but one could begin, of 2 MiB.
        for (int i = 0; i < hostile.length; i += start.length) {
            System.arraycopy(start, 0, hostile, i, start.length);
        }

        assertThat(LogTail.of(join(before, hostile))).isInstanceOf(LogTail.Damaged.class);
    }

    /** A message that holds another entry, cut short behind that one. */
    private byte[] tornAround(byte[] inner) {
        byte[] around = entry(3_000);
        System.arraycopy(inner, 0, around, 700, inner.length);
        return Arrays.copyOf(around, 2_500);
    }

    @Test
    void logTailIsTorn_whenContentImitatesEntryOutOfOrder() {
        byte[] before = join(HEADER, entry(40), entry(300));
        int next = lastIndex + 1;
        for (byte[] forged :
                List.of(
                        entry(TERM - 1, next + 1, 60),
                        entry(TERM, lastIndex, 60),
                        entry(TERM, next + 100, 60),
                        framed(new byte[] {0x08, TERM, 0x12, 1, 1, 1, 1, 1, 1, 1}),
                        framed(new byte[] {0x08, (byte) 0xff}))) {
            assertThat(LogTail.of(join(before, tornAround(forged)))).isEqualTo(torn(before.length));
        }
        assertThat(LogTail.of(join(before, tornAround(entry(TERM, next + 1, 60)))))
                .as("the next but one, which may be real")
                .isInstanceOf(LogTail.Damaged.class);
    }

    @Test
    void logTailIsCorrupt_whenManySmallEntriesAreUnreadable() {
        byte[] before = join(HEADER, entry(40));
        byte[] small = new byte[0];
        for (int i = 0; i < 50; i++) {
            small = join(small, entry(4));
        }
        Arrays.fill(small, (byte) 0x55);

        assertThat(LogTail.of(join(before, small, entry(40)))).isInstanceOf(LogTail.Damaged.class);
    }

    /** The checksum's last byte, which may well be 0, is the only one of its sector. */
    @Test
    void logTailIsCorrupt_whenOnlyTheChecksumEndsInZeros() {
        byte[] before = join(HEADER, entry(40));
        byte[] last = entry(2_000);
        int length = 2_000 + 2 * 512 - (before.length + last.length) % 512 + 1;
        int index = lastIndex;
        last = entry(TERM, index, length);
        while (last[last.length - 1] != 0) {
            last = entry(TERM, index, length);
        }
        byte[] whole = join(before, last, zeros(3_000));
        assertThat((before.length + last.length) % 512).isEqualTo(1);
        assertThat(LogTail.of(whole)).isEqualTo(WHOLE);
        whole[before.length + 900] ^= 1;

        assertThat(LogTail.of(whole)).isInstanceOf(LogTail.Damaged.class);

        while (last[last.length - 1] == 0) {
            last = entry(TERM, index, length);
        }
        last[last.length - 1] = 0;
        assertThat(LogTail.of(join(before, last, zeros(3_000))))
                .as("its last sector was not written")
                .isEqualTo(torn(before.length));
    }

    private static LogTail torn(int validBytes) {
        return new LogTail.Torn(validBytes);
    }
}
