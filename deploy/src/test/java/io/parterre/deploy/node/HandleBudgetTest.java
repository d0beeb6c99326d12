package io.parterre.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HandleBudgetTest {
    private static HandleBudget of(long limit, boolean stores) {
        return HandleBudget.of(OptionalLong.of(limit), stores, 1_000, 20_000);
    }

    @Test
    void budgetIsAsConfigured_whenSystemAllowsEnough() {
        HandleBudget budget = of(65_536, true);
        assertThat(budget.storeFiles()).isEqualTo(1_000);
        assertThat(budget.connections()).isEqualTo(20_000);
        HandleBudget unknown = HandleBudget.of(OptionalLong.empty(), true, 1_000, 20_000);
        assertThat(unknown.connections()).isEqualTo(20_000);
    }

    @Test
    void connectionsLeaveRoomForStorageAndRaft_whenHandlesAreFew() {
        HandleBudget budget = of(256, true);
        assertThat(budget.storeFiles()).isEqualTo(26);
        assertThat(budget.connections()).isEqualTo(54);
        for (long limit = 256; limit < 40_000; limit++) {
            HandleBudget each = of(limit, true);
            assertThat(2L * each.storeFiles() + each.connections())
                    .as("handles of %s", limit)
                    .isLessThanOrEqualTo(limit - 150);
        }
    }

    @Test
    void connectionsGetAllThatIsLeft_whenNothingIsStored() {
        assertThat(of(1_024, false).connections()).isEqualTo(874);
    }

    @Test
    void fewConnectionsAreTaken_whenHandlesHardlySufficeForTheProcess() {
        assertThat(of(64, true).connections()).isEqualTo(16);
    }
}
