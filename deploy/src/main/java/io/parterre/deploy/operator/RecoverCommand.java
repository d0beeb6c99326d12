package io.parterre.deploy.operator;

import io.parterre.deploy.CommandGroup;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.HeldLog;
import io.parterre.proto.admin.HeldReplica;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.RecoverRangeRequest;
import io.parterre.proto.admin.RecoverRangeResponse;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parterre recover}. */
@Command(
        name = "recover",
        description = {
            "Brings back what does not come back by itself: a range that has lost the majority of",
            "its members for good, or one with an entry in its log that cannot be applied."
        },
        subcommands = {RecoverCommand.OfRange.class, RecoverEntryCommand.class},
        footer = {"  parterre recover range 17 --dry-run", "  parterre recover entry 17"})
final class RecoverCommand extends CommandGroup {
    /** {@code parterre recover range}. */
    @Command(
            name = "range",
            description = {
                "Lets a range whose majority is lost for good go on from what one server holds.",
                "Shows what each of its members is known to hold, and what is lost. Does nothing",
                "while a majority is, or may be, alive, nor without --accept-data-loss and the token of",
                "operators. It cannot be undone: a node that comes back with an old replica of the",
                "range gives it up."
            },
            footer = {
                "  parterre recover range 17 --dry-run",
                "  parterre recover range 17 --from node-2 --accept-data-loss \\",
                "      --operator-token-file /etc/parterre/operator-token"
            })
    static final class OfRange extends OperatorCommand<RecoverRangeResponse> {
        @Parameters(paramLabel = "RANGE", description = "Number of the range.")
        private long rangeId;

        @Option(
                names = "--from",
                paramLabel = "NODE",
                description =
                        "Server whose replica it goes on from. Default: the one whose log reaches"
                                + " furthest.")
        private String from = "";

        @Option(
                names = "--accept-data-loss",
                description = "What that replica lacks may be lost for good.")
        private boolean accepted;

        @Mixin private DryRun dryRun;

        @Mixin private TokenOptions token;

        @Override
        RecoverRangeResponse ask(ManagerCalls calls, Transport transport) {
            RecoverRangeRequest.Builder request =
                    RecoverRangeRequest.newBuilder().setRangeId(rangeId).setFrom(from);
            RecoverRangeRequest looked = request.setDryRun(true).build();
            RecoverRangeResponse survey = calls.ask(stub -> stub.recoverRange(looked));
            if (dryRun.isWanted() || !survey.getRefusal().isEmpty()) {
                return survey;
            }
            if (!accepted) {
                return survey.toBuilder()
                        .setRefusal(
                                "nothing is done unless the loss is accepted: --accept-data-loss")
                        .build();
            }
            // Executes exactly what was shown.
            RecoverRangeRequest wanted =
                    request.setDryRun(false)
                            .setFrom(survey.getSurvivor())
                            .setAcceptDataLoss(true)
                            .build();
            RecoverRangeResponse done =
                    calls.ask(stub -> token.carriedBy(stub).recoverRange(wanted));
            return survey.toBuilder().clearEffects().addAllEffects(done.getEffectsList()).build();
        }

        @Override
        ExitCode verdict(RecoverRangeResponse answer) {
            return answer.getRefusal().isEmpty() ? ExitCode.OK : ExitCode.REFUSED;
        }

        @Override
        void print(RecoverRangeResponse survey, PrintWriter out) {
            RangeText.printHead(survey.getStatus(), out);
            replicas(survey).print(out);
            survey.getLossesList().forEach(loss -> out.println("loss: " + loss));
            boolean done = !dryRun.isWanted() && survey.getRefusal().isEmpty();
            for (String effect : survey.getEffectsList()) {
                out.println((done ? "" : "would: ") + effect);
            }
            if (!survey.getRefusal().isEmpty()) {
                out.println("refused: " + survey.getRefusal());
            }
        }

        /** Returns a table of the replicas, with log positions as term/index. */
        private static TextTable replicas(RecoverRangeResponse survey) {
            TextTable table =
                    new TextTable(
                            "NODE", "HEARD", "MEMBER", "GENERATION", "APPLIED", "LAST", "REMARKS");
            for (HeldReplica each : survey.getReplicasList()) {
                HeldLog log = each.getLog();
                table.row(
                        each.getNodeId(),
                        heard(each),
                        each.getMember() ? "yes" : "no",
                        each.hasLog() ? log.getGeneration() : "",
                        each.hasLog() ? log.getAppliedTerm() + "/" + log.getAppliedIndex() : "",
                        each.hasLog() ? log.getLastTerm() + "/" + log.getLastIndex() : "",
                        each.getNodeId().equals(survey.getSurvivor())
                                ? "the range goes on from it"
                                : each.getUnfit());
            }
            return table;
        }

        private static String heard(HeldReplica replica) {
            String word = NodesCommand.word(replica.getLiveness());
            if (replica.getLiveness() == Liveness.UP) {
                return word;
            }
            return replica.hasSilentMillis()
                    ? word + " " + Integer.toUnsignedLong(replica.getSilentMillis()) / 1_000 + "s"
                    : word + ", not heard since this manager leads";
        }
    }
}
