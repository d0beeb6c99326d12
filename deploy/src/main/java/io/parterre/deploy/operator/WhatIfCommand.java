package io.parterre.deploy.operator;

import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.WhatIfRequest;
import io.parterre.proto.admin.WhatIfResponse;
import io.parterre.proto.admin.WhatIfRound;
import io.parterre.proto.journal.JournalEntry;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code parterre what-if}. */
@Command(
        name = "what-if",
        description = {
            "Tells what the managers would decide under another policy, or without some servers, and",
            "does nothing: their own planner, on the cluster as it is, round by round, each as if all",
            "before it were done."
        },
        footer = {
            "  parterre what-if --policy split.operationsPerSecondMax=1000",
            "  parterre what-if --policy tomorrow.policy --node-down node-3"
        })
final class WhatIfCommand extends OperatorCommand<WhatIfResponse> {
    @Option(
            names = "--policy",
            arity = "1..*",
            paramLabel = "KEY=VALUE|FILE",
            description = "Other values, or files of such lines. See 'policy set --help'.")
    private List<String> settings = List.of();

    @Option(
            names = "--node-down",
            arity = "1..*",
            paramLabel = "NODE",
            description = "Servers that are dead in it.")
    private List<String> nodesDown = List.of();

    @Option(
            names = "--rounds",
            paramLabel = "COUNT",
            description = "Rounds of the planner, at most 100. Default: ${DEFAULT-VALUE}.",
            defaultValue = "10")
    private int rounds;

    @Override
    WhatIfResponse ask(ManagerCalls calls, Transport transport) {
        WhatIfRequest request =
                WhatIfRequest.newBuilder()
                        .addAllSettings(PolicySettings.read(settings, spec().commandLine()))
                        .addAllNodesDown(nodesDown)
                        .setRoundsMax(Math.max(1, rounds))
                        .build();
        return calls.ask(stub -> stub.whatIf(request));
    }

    @Override
    void print(WhatIfResponse response, PrintWriter out) {
        response.getChangesList().forEach(change -> out.println("policy: " + change));
        nodesDown.forEach(node -> out.println("down: " + node));
        for (int i = 0; i < response.getRoundsCount(); i++) {
            WhatIfRound round = response.getRounds(i);
            if (round.getDecisionsCount() == 0) {
                continue;
            }
            out.println("round " + (i + 1));
            TextTable table = new TextTable("WHAT", "RANGE", "WHY");
            for (JournalEntry each : round.getDecisionsList()) {
                table.row(
                        JournalText.what(each),
                        each.getRangeIdsCount() == 0 ? "" : each.getRangeIds(0),
                        each.getWhy());
            }
            table.print(out);
            if (round.getLeftOut() > 0) {
                out.println("and " + round.getLeftOut() + " more");
            }
        }
        out.println(response.getEnd());
    }
}
