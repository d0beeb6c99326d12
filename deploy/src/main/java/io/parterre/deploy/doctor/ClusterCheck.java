package io.parterre.deploy.doctor;

import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.ListFrontEndsResponse;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.UpgradeMember;
import io.parterre.proto.admin.UpgradeStatus;
import io.parterre.server.DiskSpaceConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks what the leading manager reports about the cluster. Pure. */
final class ClusterCheck {
    private ClusterCheck() {}

    /** Checks managers, ranges and servers as a whole. */
    static List<Finding> status(ClusterStatus status) {
        List<Finding> findings = new ArrayList<>();
        if (status.getManagersSilentCount() > 0) {
            findings.add(
                    Finding.warning(
                            "managers",
                            "nothing is heard of "
                                    + String.join(", ", status.getManagersSilentList())
                                    + "; start them before another one is lost"));
        }
        if (status.getRangesWithoutLeader() > 0) {
            findings.add(
                    Finding.problem(
                            "ranges",
                            status.getRangesWithoutLeader()
                                    + " of "
                                    + status.getRanges()
                                    + " have no leader, and calls on them fail; see parterre"
                                    + " nodes"));
        }
        if (status.getRangesUnderReplicated() > 0) {
            findings.add(
                    Finding.warning(
                            "ranges",
                            status.getRangesUnderReplicated()
                                    + " of "
                                    + status.getRanges()
                                    + " have fewer healthy members than they should have"));
        }
        if (status.getNodesDead() > 0 || status.getNodesSuspect() > 0) {
            findings.add(
                    Finding.warning(
                            "servers",
                            status.getNodesDead()
                                    + " dead, "
                                    + status.getNodesSuspect()
                                    + " suspect; see parterre nodes"));
        }
        if (findings.isEmpty()) {
            findings.add(
                    Finding.ok(
                            "cluster",
                            status.getNodesUp()
                                    + " servers are up, "
                                    + status.getRanges()
                                    + " ranges have leaders and members"));
        }
        return findings;
    }

    /** Checks disks, clocks and stores of servers. */
    static List<Finding> nodes(List<NodeStatus> nodes, DiskSpaceConfig marks) {
        List<Finding> findings = new ArrayList<>();
        for (NodeStatus node : nodes) {
            String name = "server " + node.getNode().getNodeId();
            if (node.getDiskStalled()) {
                findings.add(Finding.problem(name, "its disk does not answer; it leads nothing"));
            }
            if (!node.getDamage().isEmpty()) {
                findings.add(Finding.problem(name, "its store is damaged: " + node.getDamage()));
            }
            if (node.getClockAheadMillis() > 0) {
                findings.add(
                        Finding.problem(
                                name,
                                "its clock is "
                                        + node.getClockAheadMillis() / 1_000
                                        + " s ahead of most others; it leads nothing"));
            }
            if (node.getDiskUsedPercent() > marks.highPercent()) {
                String text = node.getDiskUsedPercent() + " % of its disk are in use";
                findings.add(
                        node.getDiskUsedPercent() > marks.criticalPercent()
                                ? Finding.problem(name, text + "; writes are refused")
                                : Finding.warning(name, text));
            }
        }
        return findings;
    }

    /**
     * Checks the releases of all processes that have told one, and of this one.
     *
     * @param own release of the process that asks
     */
    static List<Finding> releases(
            UpgradeStatus upgrade, ListFrontEndsResponse frontEnds, String own) {
        Map<String, List<String>> byRelease = new TreeMap<>();
        List<Finding> findings = new ArrayList<>();
        for (UpgradeMember member : upgrade.getMembersList()) {
            String name = role(member) + " " + member.getId();
            if (!member.getRelease().isEmpty()) {
                byRelease.computeIfAbsent(member.getRelease(), r -> new ArrayList<>()).add(name);
            } else if (!member.hasFeatureLevels()) {
                findings.add(Finding.warning("releases", name + " does not answer"));
            }
        }
        frontEnds
                .getSilentList()
                .forEach(
                        silent ->
                                findings.add(
                                        Finding.warning(
                                                "front ends",
                                                silent.getName()
                                                        + " is not heard of; it may go on serving"
                                                        + " with old accounts")));
        if (byRelease.size() > 1) {
            StringBuilder text = new StringBuilder("several run side by side:");
            byRelease.forEach(
                    (release, names) ->
                            text.append(' ')
                                    .append(release)
                                    .append(" (")
                                    .append(String.join(", ", names))
                                    .append(')'));
            findings.add(Finding.warning("releases", text.toString()));
        } else if (!byRelease.isEmpty() && !byRelease.containsKey(own)) {
            findings.add(
                    Finding.warning(
                            "releases",
                            "the cluster runs "
                                    + byRelease.keySet().iterator().next()
                                    + ", and this is "
                                    + own));
        } else {
            findings.add(Finding.ok("releases", "all that tell theirs run " + own));
        }
        return findings;
    }

    private static String role(UpgradeMember member) {
        return switch (member.getRole()) {
            case MANAGER -> "manager";
            case SERVER -> "server";
            case FRONT_END -> "front end";
            case ROLE_UNSPECIFIED, UNRECOGNIZED -> "process";
        };
    }
}
