package io.parterre.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FairShareTest {
    private static final FairShare SHARE = new FairShare(1_000, 50);

    @ParameterizedTest
    @CsvSource({
        // held, of the holder, holders, more
        "0, 0, 1, 1",
        "500, 500, 1, 1",
        "500, 500, 1, 5000",
        "500, 400, 100, 90"
    })
    void anythingIsGranted_upToHalfOfTheBound(long held, long own, int holders, long more) {
        assertThat(SHARE.grants(held, own, holders, more)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "501, 501, 1, 1, false", "501, 499, 2, 1, false", "600, 249, 2, 1, true",
        "600, 249, 2, 2, false", "600, 99, 5, 1, true", "600, 99, 5, 2, false"
    })
    void holderIsHeldToItsShare_aboveHalfOfTheBound(
            long held, long own, int holders, long more, boolean granted) {
        assertThat(SHARE.grants(held, own, holders, more)).isEqualTo(granted);
    }

    @Test
    void shareIsLargestRequest_whenThereAreManyHolders() {
        assertThat(SHARE.shareBytes(10)).isEqualTo(50);
        assertThat(SHARE.shareBytes(1_000)).isEqualTo(50);
        assertThat(SHARE.shareBytes(0)).isEqualTo(500);
        assertThat(SHARE.grants(900, 40, 1_000, 10)).isTrue();
        assertThat(SHARE.grants(900, 40, 1_000, 11)).isFalse();
    }

    @Test
    void holderOfNothingMayTakeOnce_withinTheBound() {
        assertThat(SHARE.grants(600, 0, 1_000, 400)).isTrue();
        assertThat(SHARE.grants(600, 0, 1_000, 401)).isFalse();
        assertThat(SHARE.grants(1_000, 0, 2, 1)).isFalse();
    }

    @Test
    void readIsAdmitted_upToTheShare() {
        assertThat(SHARE.admits(500, 500, 1)).isTrue();
        assertThat(SHARE.admits(501, 250, 2)).isTrue();
        assertThat(SHARE.admits(501, 251, 2)).isFalse();
        assertThat(SHARE.admits(5_000, 0, 2)).isTrue();
    }

    /** Whatever the others ask for, half of the bound stays for those who ask for little. */
    @Test
    void greedyHoldersLeaveRoom_whateverTheirNumber() {
        FairShare share = new FairShare(1 << 20, 1_024);
        for (int greedy = 1; greedy < 200; greedy++) {
            long[] own = new long[greedy];
            long held = 0;
            boolean more = true;
            while (more) {
                more = false;
                for (int i = 0; i < greedy; i++) {
                    if (share.grants(held, own[i], greedy, 1_000)) {
                        own[i] += 1_000;
                        held += 1_000;
                        more = true;
                    }
                }
            }
            assertThat(share.grants(held, 0, greedy + 1, 1_024)).as("%d holders", greedy).isTrue();
        }
    }

    @Test
    void boundMustBePositive() {
        assertThatThrownBy(() -> new FairShare(0, 1)).hasMessageContaining("bytesMax: 0");
    }
}
