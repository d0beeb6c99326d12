package io.parterre.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.EntityId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A checker that never complains proves nothing, so here it has to. */
class RegisterTest {
    private final Register register = new Register(new EntityId("p", "r"));

    @Test
    void registerAcceptsAckedOrInFlightValue() {
        acknowledge(2);
        register.nextValue();
        assertThat(register.judge(register.floor(), Optional.of(2L))).isEmpty();
        assertThat(register.judge(register.floor(), Optional.of(3L))).isEmpty();
    }

    @Test
    void registerReportsStaleRead_whenValueIsOlderThanAcked() {
        acknowledge(2);
        assertThat(register.judge(register.floor(), Optional.of(1L)))
                .hasValueSatisfying(text -> assertThat(text).contains("stale, read 1"));
    }

    @Test
    void registerReportsStaleRead_whenAckedEntityIsMissing() {
        acknowledge(1);
        assertThat(register.judge(register.floor(), Optional.empty()))
                .hasValueSatisfying(text -> assertThat(text).contains("stale, read 0"));
    }

    @Test
    void registerAcceptsOlderValue_whenReadBeganBeforeAck() {
        acknowledge(1);
        long floor = register.floor();
        acknowledge(1);
        assertThat(register.judge(floor, Optional.of(1L))).isEmpty();
    }

    @Test
    void registerReportsStaleRead_whenLaterValueWasAlreadyRead() {
        acknowledge(1);
        register.nextValue();
        assertThat(register.judge(register.floor(), Optional.of(2L))).isEmpty();
        assertThat(register.judge(register.floor(), Optional.of(1L))).isPresent();
    }

    @Test
    void registerReportsViolation_whenValueWasNeverSent() {
        acknowledge(1);
        assertThat(register.judge(register.floor(), Optional.of(2L))).isPresent();
    }

    private void acknowledge(int writes) {
        for (int i = 0; i < writes; i++) {
            register.acknowledged(register.nextValue());
        }
    }
}
