package io.parterre.deploy.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.proto.admin.RecoverRangeRequest;
import io.parterre.proto.node.EntryStep;
import io.parterre.proto.node.ReadChangesRequest;
import io.parterre.proto.node.ReadRowsRequest;
import io.parterre.proto.node.RecordChangesRequest;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RestoreRowsRequest;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DataLossGuardTest {
    @Test
    void recoveryOfRangeLosesData_onlyWhenLossIsAcceptedAndItIsDone() {
        RecoverRangeRequest.Builder request = RecoverRangeRequest.newBuilder().setRangeId(1);
        assertThat(DataLossGuard.needsToken(request.build())).isFalse();
        request.setAcceptDataLoss(true);
        assertThat(DataLossGuard.needsToken(request.build())).isTrue();
        assertThat(DataLossGuard.needsToken(request.setDryRun(true).build())).isFalse();
    }

    @Test
    void stepsThatSkipAnEntryLoseData_andNoOthers() {
        Set<EntryStep> losing = EnumSet.noneOf(EntryStep.class);
        for (EntryStep step : EntryStep.values()) {
            if (step != EntryStep.UNRECOGNIZED
                    && DataLossGuard.needsToken(
                            RecoverEntryRequest.newBuilder().setStep(step).build())) {
                losing.add(step);
            }
        }
        assertThat(losing).containsExactlyInAnyOrder(EntryStep.SKIP, EntryStep.RESUME_SKIPPING);
    }

    @Test
    void rowsOfBackupsNeedTheToken() {
        assertThat(DataLossGuard.needsToken(ReadRowsRequest.getDefaultInstance())).isTrue();
        assertThat(DataLossGuard.needsToken(RestoreRowsRequest.getDefaultInstance())).isTrue();
        assertThat(DataLossGuard.needsToken(ReadChangesRequest.getDefaultInstance())).isTrue();
        assertThat(DataLossGuard.needsToken(RecordChangesRequest.getDefaultInstance())).isTrue();
    }
}
