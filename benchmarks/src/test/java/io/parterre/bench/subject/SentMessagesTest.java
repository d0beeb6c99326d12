package io.parterre.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SentMessagesTest {
    private static String line(long pid, String counters) {
        return "ESTAB 0 0 127.0.0.1:1 127.0.0.1:2 users:((\"java\",pid="
                + pid
                + ",fd=7)) cubic rtt:0.1/0.05 "
                + counters;
    }

    @Test
    void sentMessagesSumConnectionsOfOneProcess() {
        String output =
                String.join(
                        "\n",
                        line(12, "segs_out:900 segs_in:3 data_segs_out:40 data_segs_in:2"),
                        line(12, "data_segs_out:2"),
                        line(123, "data_segs_out:1000"),
                        // Nothing sent yet: there is no such counter.
                        line(12, "segs_out:1"));
        assertThat(SentMessages.parse(output, 12)).isEqualTo(42);
        assertThat(SentMessages.parse(output, 1)).isZero();
        assertThat(SentMessages.parse("", 12)).isZero();
    }
}
