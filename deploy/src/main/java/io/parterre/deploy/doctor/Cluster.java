package io.parterre.deploy.doctor;

import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.ListAccountsResponse;
import io.parterre.proto.admin.ListFrontEndsResponse;
import io.parterre.proto.admin.ListNodesResponse;
import io.parterre.proto.admin.UpgradeStatus;
import io.parterre.server.DiskSpaceConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers of the leading manager.
 *
 * @param askedMillis this machine's time before the manager was asked for the status
 * @param answeredMillis this machine's time after the answer
 */
public record Cluster(
        ClusterStatus status,
        long askedMillis,
        long answeredMillis,
        ListNodesResponse nodes,
        UpgradeStatus upgrade,
        ListFrontEndsResponse frontEnds,
        ListAccountsResponse accounts) {
    /**
     * Judges the answers.
     *
     * @param release release of the process that asks
     */
    public List<Finding> look(DiskSpaceConfig marks, String release) {
        List<Finding> findings = new ArrayList<>();
        findings.add(ClockCheck.judge(askedMillis, status.getClockMillis(), answeredMillis));
        findings.addAll(ClusterCheck.status(status));
        findings.addAll(ClusterCheck.nodes(nodes.getNodesList(), marks));
        findings.addAll(SecretsCheck.cluster(accounts));
        findings.addAll(ClusterCheck.releases(upgrade, frontEnds, release));
        return findings;
    }
}
