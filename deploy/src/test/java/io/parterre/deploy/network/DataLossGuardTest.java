package io.parterre.deploy.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.admin.RecoverRangeRequest;
import io.parterre.proto.node.EntryStep;
import io.parterre.proto.node.RecoverEntryRequest;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DataLossGuardTest {
    @Test
    void recoveryOfRangeLosesData_onlyWhenLossIsAcceptedAndItIsDone() {
        RecoverRangeRequest.Builder request = RecoverRangeRequest.newBuilder().setRangeId(1);
        assertThat(DataLossGuard.losesData(request.build())).isFalse();
        request.setAcceptDataLoss(true);
        assertThat(DataLossGuard.losesData(request.build())).isTrue();
        assertThat(DataLossGuard.losesData(request.setDryRun(true).build())).isFalse();
    }

    @Test
    void stepsThatSkipAnEntryLoseData_andNoOthers() {
        Set<EntryStep> losing = EnumSet.noneOf(EntryStep.class);
        for (EntryStep step : EntryStep.values()) {
            if (step != EntryStep.UNRECOGNIZED
                    && DataLossGuard.losesData(
                            RecoverEntryRequest.newBuilder().setStep(step).build())) {
                losing.add(step);
            }
        }
        assertThat(losing).containsExactlyInAnyOrder(EntryStep.SKIP, EntryStep.RESUME_SKIPPING);
    }
}
