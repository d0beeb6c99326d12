package io.parterre.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BusyReasonTest {
    @Test
    void busyReasonIsFoundByItsText() {
        for (BusyReason reason : BusyReason.values()) {
            assertThat(BusyReason.ofText(reason.text())).contains(reason);
            assertThat(reason.label()).matches("[a-z_]+");
        }
        assertThat(BusyReason.ofText("phase of the moon")).isEmpty();
    }

    @Test
    void busyErrorCarriesThrottle_whenCreatedFromThrottle() {
        Throttle throttle = new Throttle(BusyReason.HOT_PARTITION, Duration.ofMillis(50));
        StorageException busy = new StorageException(throttle);
        assertThat(busy.code()).isEqualTo(ErrorCode.SERVER_BUSY);
        assertThat(busy.throttle()).contains(throttle);
        assertThat(busy).hasMessage(ErrorCode.SERVER_BUSY.text());
        assertThat(new StorageException(ErrorCode.SERVER_BUSY).throttle()).isEmpty();
    }
}
