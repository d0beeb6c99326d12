package io.parterre.deploy.operator;

import com.google.protobuf.Message;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.FrontEndStatus;
import io.parterre.proto.admin.ListFrontEndsRequest;
import io.parterre.proto.admin.ListFrontEndsResponse;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** {@code parterre front-ends}. */
@Command(
        name = "front-ends",
        description = {
            "Shows the front ends that follow the cluster's map now. They come and go by themselves;",
            "one that no manager answers goes on serving and is not shown."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = "  parterre front-ends --manager 10.0.0.1:10021")
final class FrontEndsCommand extends OperatorCommand {
    FrontEndsCommand(Supplier<Transport> transports) {
        super(transports);
    }

    @Override
    Message ask(ManagerCalls calls, Transport transport) {
        return calls.ask(stub -> stub.listFrontEnds(ListFrontEndsRequest.getDefaultInstance()));
    }

    @Override
    void print(Message answer, PrintWriter out) {
        ListFrontEndsResponse frontEnds = (ListFrontEndsResponse) answer;
        TextTable table = new TextTable("FRONT END", "TABLES", "MAP", "BEHIND", "SINCE", "VERSION");
        for (FrontEndStatus each : frontEnds.getFrontEndsList()) {
            long behind = Math.max(0, frontEnds.getMapVersion() - each.getMapVersion());
            table.row(
                    each.getName(),
                    each.getAddress(),
                    each.getMapVersion(),
                    behind == 0 ? "" : Long.toString(behind),
                    each.getWatchingSeconds() + "s",
                    each.getRelease());
        }
        table.print(out);
    }
}
