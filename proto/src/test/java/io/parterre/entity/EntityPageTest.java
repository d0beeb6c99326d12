package io.parterre.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
class EntityPageTest {
    /** A key and a value of these lengths for each row. */
    private static byte[] page(int... lengths) {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        for (int length : lengths) {
            int rest = length;
            while (rest > 0x7F) {
                page.write(rest & 0x7F | 0x80);
                rest >>>= 7;
            }
            page.write(rest);
            page.writeBytes(new byte[length]);
        }
        return page.toByteArray();
    }

    @Test
    void countEqualsRowsVisitedByForEachRow() {
        byte[] page = page(17, 0, 1, 127, 20, 128, 300, 70_000, 0, 0);
        AtomicInteger shown = new AtomicInteger();
        EntityPage.forEachRow(page, (key, value) -> shown.incrementAndGet());
        assertThat(shown).hasValue(5);
        assertThat(EntityPage.count(page)).isEqualTo(5);
        assertThat(EntityPage.count(new byte[0])).isZero();
    }

    @Test
    void countRejectsPage_whenItIsTruncated() {
        byte[] page = page(17, 300);
        for (int length = 1; length < page.length; length++) {
            byte[] part = Arrays.copyOf(page, length);
            assertThatIllegalArgumentException().isThrownBy(() -> EntityPage.count(part));
        }
    }
}
