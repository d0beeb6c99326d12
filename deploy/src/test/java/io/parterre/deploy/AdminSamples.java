package io.parterre.deploy;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.DisruptionLease;
import io.parterre.proto.admin.FrontEndStatus;
import io.parterre.proto.admin.HeldLog;
import io.parterre.proto.admin.HeldReplica;
import io.parterre.proto.admin.ListFrontEndsResponse;
import io.parterre.proto.admin.ListJournalResponse;
import io.parterre.proto.admin.ListManagersResponse;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.ManagerState;
import io.parterre.proto.admin.ManagerStatus;
import io.parterre.proto.admin.MemberStatus;
import io.parterre.proto.admin.Merge;
import io.parterre.proto.admin.Move;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.PolicyStatus;
import io.parterre.proto.admin.PolicyStatusValue;
import io.parterre.proto.admin.RangeLoad;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.admin.RecoverRangeResponse;
import io.parterre.proto.admin.UpgradeMember;
import io.parterre.proto.admin.UpgradeStatus;
import io.parterre.proto.admin.WhatIfResponse;
import io.parterre.proto.admin.WhatIfRound;
import io.parterre.proto.journal.JournalEntry;
import io.parterre.proto.journal.JournalKind;
import io.parterre.proto.manager.FeatureLevels;
import io.parterre.proto.manager.ManagerNode;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.NodeState;
import io.parterre.proto.range.Descriptor;

/** What a {@link FakeAdmin} answers. */
final class AdminSamples {
    static final JournalEntry MOVE =
            JournalEntry.newBuilder()
                    .setNumber(3)
                    .setKind(JournalKind.DECIDED)
                    .setVerdict("MOVE")
                    .setFirstMillis(1_000)
                    .setLastMillis(1_000)
                    .setCount(1)
                    .addRangeIds(2)
                    .addNodeIds("s3")
                    .addNodeIds("s2")
                    .setWhy("+s3 -s2, REPAIR: node s2 is dead")
                    .build();

    static final JournalEntry LEFT =
            JournalEntry.newBuilder()
                    .setKind(JournalKind.LEFT)
                    .setVerdict("NO_SPLIT_POINT")
                    .setFirstMillis(2_000)
                    .setLastMillis(62_000)
                    .setCount(60)
                    .addRangeIds(3)
                    .setWhy("3000 operations a second")
                    .build();

    static final NodeStatus FIRST_NODE =
            NodeStatus.newBuilder()
                    .setNode(
                            Node.newBuilder()
                                    .setNodeId("s1")
                                    .setServiceAddress("s1:1")
                                    .setZone("west"))
                    .setLiveness(Liveness.UP)
                    .setReplicas(3)
                    .setLeads(2)
                    .setMergesInProgress(1)
                    .setDiskTotalBytes(1_000)
                    .setDiskUsableBytes(330)
                    .setDiskUsedPercent(67)
                    .build();

    static final NodeStatus SECOND_NODE =
            NodeStatus.newBuilder()
                    .setNode(
                            Node.newBuilder()
                                    .setNodeId("s2")
                                    .setServiceAddress("s2:1")
                                    .setState(NodeState.DECOMMISSIONING))
                    .setLiveness(Liveness.SUSPECT)
                    .setSilentMillis(7_100)
                    .setReplicasToGo(3)
                    .setBytesToGo(3 << 20)
                    .setReplacedBy("s1")
                    .setSecondsToGo(40)
                    .build();

    static final PolicyStatus POLICY =
            PolicyStatus.newBuilder()
                    .setVersion(4)
                    .addValues(
                            PolicyStatusValue.newBuilder()
                                    .setKey("replicas")
                                    .setValue("5")
                                    .setDefaultValue("3")
                                    .setAllowed("1, 3, 5, 7")
                                    .setMeaning("replicas of each range"))
                    .build();

    static final UpgradeStatus UPGRADE =
            UpgradeStatus.newBuilder()
                    .setLevel(1)
                    .setReadableLevel(1)
                    .setNewestLevel(2)
                    .addMembers(
                            UpgradeMember.newBuilder()
                                    .setRole(UpgradeMember.Role.MANAGER)
                                    .setId("m1")
                                    .setRelease("0.2")
                                    .setFeatureLevels(
                                            FeatureLevels.newBuilder().setOldest(1).setNewest(2)))
                    .addMembers(
                            UpgradeMember.newBuilder()
                                    .setRole(UpgradeMember.Role.SERVER)
                                    .setId("s1"))
                    .addHindrances("server s1 does not answer")
                    .addFeaturesToCome("SLICED_ENTRIES")
                    .build();

    static final WhatIfResponse WHAT_IF =
            WhatIfResponse.newBuilder()
                    .addChanges("replicas: 3 -> 5")
                    .addRounds(WhatIfRound.newBuilder().addDecisions(MOVE).setLeftOut(2))
                    .addRounds(WhatIfRound.getDefaultInstance())
                    .setEnd("nothing more would be done")
                    .build();

    static final ClusterStatus STATUS =
            ClusterStatus.newBuilder()
                    .setClusterId("c1")
                    .setLeader("m2:2")
                    .setManagersUp(2)
                    .addManagersSilent("m3")
                    .setNodesUp(2)
                    .setNodesDead(1)
                    .setRanges(FakeAdmin.RANGES)
                    .setRangesUnderReplicated(1)
                    .setMergesInProgress(1)
                    .setNodesDraining(1)
                    .setReplicasToGo(3)
                    .setDisruptionLease(
                            DisruptionLease.newBuilder()
                                    .setNodeId("s2")
                                    .setSecondsLeft(40)
                                    .setReason("disk"))
                    .build();

    static final ListManagersResponse MANAGERS =
            ListManagersResponse.newBuilder()
                    .addManagers(manager("m1", ManagerState.IN_GROUP).setLeading(true))
                    .addManagers(manager("m2", ManagerState.FORGETFUL).setSilentMillis(4_200))
                    .addManagers(manager("m4", ManagerState.EXPECTED))
                    .setStep("manager m4 has not come yet")
                    .build();

    static final ListFrontEndsResponse FRONT_ENDS =
            ListFrontEndsResponse.newBuilder()
                    .setMapVersion(12)
                    .addFrontEnds(
                            FrontEndStatus.newBuilder()
                                    .setName("f1")
                                    .setAddress("f1:10002")
                                    .setRelease("1.2")
                                    .setMapVersion(9)
                                    .setConfirmedVersion(8)
                                    .setWatchingSeconds(70))
                    .addSilent(
                            FrontEndStatus.newBuilder()
                                    .setName("f2")
                                    .setAddress("f2:10002")
                                    .setConfirmedVersion(7)
                                    .setSilentSeconds(30))
                    .build();

    static final ListJournalResponse JOURNAL =
            ListJournalResponse.newBuilder()
                    .addEntries(MOVE)
                    .addEntries(LEFT)
                    .setLeftOut(7)
                    .build();

    private AdminSamples() {}

    private static ManagerStatus.Builder manager(String id, ManagerState state) {
        return ManagerStatus.newBuilder()
                .setManager(
                        ManagerNode.newBuilder()
                                .setNodeId(id)
                                .setRaftAddress(id + ":1")
                                .setServiceAddress(id + ":2"))
                .setState(state);
    }

    static ByteString start(int index) {
        return index == 0 ? ByteString.EMPTY : ByteString.copyFrom(new byte[] {(byte) index});
    }

    static RangeStatus range(int index) {
        RangeStatus.Builder range =
                RangeStatus.newBuilder()
                        .setRange(
                                Descriptor.newBuilder()
                                        .setRangeId(index + 1)
                                        .setGeneration(4)
                                        .setStart(start(index))
                                        .setEndExclusive(ByteString.copyFrom(Key.LAST.toBytes())))
                        .setLeader("s1")
                        .addMembers(
                                MemberStatus.newBuilder()
                                        .setNodeId("s1")
                                        .setLiveness(Liveness.UP)
                                        .setAppliedIndex(70))
                        .addMembers(
                                MemberStatus.newBuilder()
                                        .setNodeId("s2")
                                        .setLiveness(Liveness.DEAD)
                                        .setMissing(true));
        if (index == 0) {
            range.setBytes(3 << 20)
                    .setLoad(
                            RangeLoad.newBuilder()
                                    .setReadsPerSecond(10.2)
                                    .setWritesPerSecond(2)
                                    .setRefusedPerSecond(0.5));
        }
        if (index == 1) {
            range.setMove(
                    Move.newBuilder()
                            .setAdd("s3")
                            .setRemove("s2")
                            .setReason("s2 is dead")
                            .setStep("copying")
                            .setAgeSeconds(12));
        }
        if (index == 2) {
            range.setMerge(
                    Merge.newBuilder()
                            .setLeftRangeId(2)
                            .setRightRangeId(3)
                            .setReason("QUIET")
                            .setStep("has to be joined")
                            .setAgeSeconds(5));
        }
        return range.build();
    }

    /** As a dry run of a recovery shows it. */
    static RecoverRangeResponse survey(long rangeId) {
        return RecoverRangeResponse.newBuilder()
                .setStatus(
                        RangeStatus.newBuilder()
                                .setRange(
                                        Descriptor.newBuilder()
                                                .setRangeId(rangeId)
                                                .setGeneration(4)))
                .addReplicas(
                        HeldReplica.newBuilder()
                                .setNodeId("s1")
                                .setLiveness(Liveness.UP)
                                .setSilentMillis(100)
                                .setMember(true)
                                .setLog(
                                        HeldLog.newBuilder()
                                                .setGeneration(4)
                                                .setAppliedTerm(2)
                                                .setAppliedIndex(10)
                                                .setLastTerm(3)
                                                .setLastIndex(12)))
                .addReplicas(
                        HeldReplica.newBuilder()
                                .setNodeId("s2")
                                .setLiveness(Liveness.DEAD)
                                .setMember(true)
                                .setUnfit("its node is DEAD"))
                .addLosses("what s2 alone held is lost")
                .setSurvivor("s1")
                .build();
    }
}
