package io.parterre.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.parterre.bench.load.Measurement;
import org.junit.jupiter.api.Test;

final class PostgresTest {
    @Test
    void postgresParserReadsPgbenchOutput() {
        Measurement measured =
                Postgres.parse(
                        """
                        number of transactions actually processed: 17555
                        number of failed transactions: 2 (0.011%)
                        latency average = 0.285 ms
                        initial connection time = 2.1 ms
                        tps = 3510.25 (without initial connection time)
                        """);
        assertThat(measured.operations()).isEqualTo(17_555);
        assertThat(measured.operationsPerSecond()).isCloseTo(3_510.25, within(0.01));
        assertThat(measured.latency().p50()).isEqualTo(285);
        assertThat(measured.errorCount()).isEqualTo(2);
    }
}
