package io.parterre.deploy.operator;

import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.MoveLeaderRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code parterre move-leader}. */
@Command(
        name = "move-leader",
        description = {
            "Transfers the leadership of a range to another member. Answers at once; it is tried for 30 s,",
            "and 'parterre explain range' shows who leads. It is no rule: where servers lead unevenly,",
            "the managers even that out again (balanceBand of the policy)."
        },
        footer = "  parterre move-leader 17 node-2 --dry-run")
final class MoveLeaderCommand extends ChangeCommand {
    @Parameters(index = "0", paramLabel = "RANGE", description = "Number of the range.")
    private long rangeId;

    @Parameters(index = "1", paramLabel = "NODE", description = "Server that becomes the leader.")
    private String node;

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) {
        MoveLeaderRequest request =
                MoveLeaderRequest.newBuilder()
                        .setRangeId(rangeId)
                        .setNodeId(node)
                        .setDryRun(dry)
                        .build();
        return calls.ask(stub -> stub.moveLeader(request));
    }
}
