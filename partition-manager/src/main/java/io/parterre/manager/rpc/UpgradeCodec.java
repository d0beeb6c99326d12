package io.parterre.manager.rpc;

import io.parterre.manager.map.LevelsCodec;
import io.parterre.manager.plan.request.Upgrade;
import io.parterre.proto.admin.UpgradeMember;
import io.parterre.proto.admin.UpgradeStatus;

/** Converts the state of an upgrade to messages for operators. Stateless and thread-safe. */
final class UpgradeCodec {
    private UpgradeCodec() {}

    static UpgradeStatus toProto(Upgrade upgrade) {
        UpgradeStatus.Builder status =
                UpgradeStatus.newBuilder()
                        .setLevel(upgrade.level().value())
                        .setReadableLevel(upgrade.readable().value())
                        .setNewestLevel(upgrade.newest().value());
        if (upgrade.newest().isAbove(upgrade.level())) {
            status.addAllHindrances(upgrade.hindrances(upgrade.newest()));
        }
        upgrade.broughtBy(upgrade.newest())
                .forEach(feature -> status.addFeaturesToCome(feature.name()));
        for (Upgrade.Member member : upgrade.members()) {
            UpgradeMember.Builder told =
                    UpgradeMember.newBuilder().setRole(role(member.role())).setId(member.id());
            member.release()
                    .ifPresent(
                            release ->
                                    told.setRelease(release.name())
                                            .setFeatureLevels(
                                                    LevelsCodec.toProto(release.levels())));
            status.addMembers(told);
        }
        return status.build();
    }

    private static UpgradeMember.Role role(Upgrade.Role role) {
        return switch (role) {
            case MANAGER -> UpgradeMember.Role.MANAGER;
            case SERVER -> UpgradeMember.Role.SERVER;
            case FRONT_END -> UpgradeMember.Role.FRONT_END;
        };
    }
}
