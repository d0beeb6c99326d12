package io.parterre.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CrashOrderTest {
    @Test
    void crashOrderParsesPointAndCount_withOneAsDefault() {
        assertThat(CrashOrder.parse("AFTER_APPLY:3\n")).contains(new CrashOrder("AFTER_APPLY", 3));
        assertThat(CrashOrder.parse("AFTER_APPLY")).contains(new CrashOrder("AFTER_APPLY", 1));
    }

    @Test
    void crashOrderParseReturnsEmpty_whenTextIsMalformed() {
        for (String text : new String[] {"", "AFTER_APPLY:", "AFTER_APPLY:0", "after", "A:-1"}) {
            assertThat(CrashOrder.parse(text)).as(text).isEmpty();
        }
    }
}
