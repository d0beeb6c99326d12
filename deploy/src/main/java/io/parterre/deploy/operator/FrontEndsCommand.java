package io.parterre.deploy.operator;

import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.FrontEndStatus;
import io.parterre.proto.admin.ListFrontEndsRequest;
import io.parterre.proto.admin.ListFrontEndsResponse;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** {@code parterre front-ends}. */
@Command(
        name = "front-ends",
        description = {
            "Shows the front ends that follow the cluster's map now, and those that did within a day",
            "and have not said that they end: they may go on serving by the accounts of then, for",
            "frontEnd.accounts.ageMax at most. HOLDS is the version of the map that each has said it",
            "holds. A manager that has begun to lead since knows nothing of silent ones."
        },
        footer = "  parterre front-ends --manager 10.0.0.1:10021")
final class FrontEndsCommand extends OperatorCommand<ListFrontEndsResponse> {
    @Override
    ListFrontEndsResponse ask(ManagerCalls calls, Transport transport) {
        return calls.ask(stub -> stub.listFrontEnds(ListFrontEndsRequest.getDefaultInstance()));
    }

    @Override
    void print(ListFrontEndsResponse frontEnds, PrintWriter out) {
        TextTable table =
                new TextTable("FRONT END", "TABLES", "MAP", "HOLDS", "BEHIND", "SINCE", "VERSION");
        for (FrontEndStatus each : frontEnds.getFrontEndsList()) {
            table.row(
                    each.getName(),
                    each.getAddress(),
                    each.getMapVersion(),
                    each.getConfirmedVersion(),
                    behind(frontEnds, each.getMapVersion()),
                    each.getWatchingSeconds() + "s",
                    each.getRelease());
        }
        for (FrontEndStatus each : frontEnds.getSilentList()) {
            table.row(
                    each.getName(),
                    each.getAddress(),
                    "",
                    each.getConfirmedVersion(),
                    behind(frontEnds, each.getConfirmedVersion()),
                    "silent " + each.getSilentSeconds() + "s",
                    each.getRelease());
        }
        table.print(out);
    }

    private static String behind(ListFrontEndsResponse frontEnds, long version) {
        long behind = Math.max(0, frontEnds.getMapVersion() - version);
        return behind == 0 ? "" : Long.toString(behind);
    }
}
