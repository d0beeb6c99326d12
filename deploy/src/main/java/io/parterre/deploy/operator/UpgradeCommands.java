package io.parterre.deploy.operator;

import io.parterre.deploy.CommandGroup;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.FinalizeUpgradeRequest;
import io.parterre.proto.admin.GetUpgradeRequest;
import io.parterre.proto.admin.UpgradeMember;
import io.parterre.proto.admin.UpgradeStatus;
import io.parterre.proto.manager.FeatureLevels;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parterre upgrade}. */
@Command(
        name = "upgrade",
        description = {
            "Shows and raises the cluster's feature level: what nothing is written above, so that",
            "releases can meet. While it stays, each process may go back to the release before."
        },
        subcommands = {UpgradeCommands.Status.class, UpgradeCommands.Finalize.class},
        footer = {
            "  parterre upgrade status",
            "  parterre upgrade finalize --dry-run",
            "  parterre upgrade finalize"
        })
final class UpgradeCommands extends CommandGroup {
    /** {@code parterre upgrade status}. */
    @Command(
            name = "status",
            description = {
                "Shows the cluster's feature level, which levels each manager, server and front end",
                "reads, and what keeps the level from being raised."
            },
            footer = "  parterre upgrade status --json")
    static final class Status extends OperatorCommand<UpgradeStatus> {
        @Override
        UpgradeStatus ask(ManagerCalls calls, Transport transport) {
            return calls.ask(stub -> stub.getUpgrade(GetUpgradeRequest.getDefaultInstance()));
        }

        @Override
        void print(UpgradeStatus upgrade, PrintWriter out) {
            out.println("feature level " + upgrade.getLevel());
            TextTable table = new TextTable("ROLE", "ID", "READS", "VERSION");
            for (UpgradeMember each : upgrade.getMembersList()) {
                table.row(role(each), each.getId(), reads(each), each.getRelease());
            }
            table.print(out);
            if (upgrade.getLevel() >= upgrade.getNewestLevel()) {
                out.println("nothing to finalize");
                return;
            }
            upgrade.getHindrancesList().forEach(why -> out.println("hinders: " + why));
            out.println(
                    (upgrade.getHindrancesCount() == 0 ? "may be" : "cannot be")
                            + " finalized to level "
                            + upgrade.getNewestLevel()
                            + (upgrade.getHindrancesCount() == 0 ? "" : " yet")
                            + ", which brings "
                            + String.join(", ", upgrade.getFeaturesToComeList()));
        }

        private static String role(UpgradeMember member) {
            return switch (member.getRole()) {
                case MANAGER, SERVER -> member.getRole().name().toLowerCase(Locale.ROOT);
                case FRONT_END -> "front end";
                case ROLE_UNSPECIFIED, UNRECOGNIZED -> "unknown";
            };
        }

        private static String reads(UpgradeMember member) {
            if (!member.hasFeatureLevels()) {
                return "no answer";
            }
            FeatureLevels levels = member.getFeatureLevels();
            return levels.getOldest() == levels.getNewest()
                    ? Integer.toString(levels.getOldest())
                    : levels.getOldest() + ".." + levels.getNewest();
        }
    }

    /** {@code parterre upgrade finalize}. */
    @Command(
            name = "finalize",
            description = {
                "Raises the cluster's feature level, for good, to the newest that the leading manager",
                "reads. Refused while a member of the cluster does not read it or does not answer. From",
                "then on no process can go back to a release that does not read the level: such a",
                "release refuses the data folder and ends with code 5."
            },
            footer = {"  parterre upgrade finalize --dry-run", "  parterre upgrade finalize"})
    static final class Finalize extends ChangeCommand {
        @Option(
                names = "--level",
                paramLabel = "LEVEL",
                description = "To which. Default: the newest that the leading manager reads.")
        private int level;

        @Override
        ChangeResponse change(ManagerCalls calls, boolean dry) {
            FinalizeUpgradeRequest request =
                    FinalizeUpgradeRequest.newBuilder().setLevel(level).setDryRun(dry).build();
            return calls.ask(stub -> stub.finalizeUpgrade(request));
        }
    }
}
