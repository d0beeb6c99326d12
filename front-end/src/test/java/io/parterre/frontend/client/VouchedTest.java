package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VouchedTest {
    @Test
    void answerVouchesFromWhenItWasAskedFor_ifItsVersionIsHeld() {
        assertThat(Vouched.at(10).answered(20, 7, 7)).isEqualTo(Vouched.at(20));
        assertThat(Vouched.at(10).answered(20, 7, 8)).isEqualTo(Vouched.at(20));
    }

    @Test
    void answerVouchesOnceItsVersionIsHeld_ifThatComesLater() {
        Vouched awaiting = Vouched.at(10).answered(20, 8, 7);
        assertThat(awaiting.nanos()).isEqualTo(10);
        assertThat(awaiting.holding(7).nanos()).isEqualTo(10);
        assertThat(awaiting.holding(8)).isEqualTo(Vouched.at(20));
    }

    @Test
    void lateAnswerDoesNotTakeTimeBack() {
        assertThat(Vouched.at(10).answered(5, 7, 7)).isEqualTo(Vouched.at(10));
    }
}
