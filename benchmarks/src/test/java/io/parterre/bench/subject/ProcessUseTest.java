package io.parterre.bench.subject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcessUseTest {
    @Test
    void processUseParsesMemoryThreadsAndCPUTime() {
        ProcessUse use =
                ProcessUse.parse(
                        List.of(
                                "Name:\tjava",
                                "VmHWM:\t  300 kB",
                                "VmRSS:\t  200 kB",
                                "Threads:\t41"),
                        "7 (a (b) c) S 1 7 7 0 -1 4194304 5 0 0 0 150 50 0 0 20 0 41 0 9 8 7");
        assertThat(use).isEqualTo(new ProcessUse(200 * 1024, 300 * 1024, 2.0, 41));
    }
}
