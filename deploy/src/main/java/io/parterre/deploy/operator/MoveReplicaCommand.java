package io.parterre.deploy.operator;

import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.MoveReplicaRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code parterre move-replica}. */
@Command(
        name = "move-replica",
        description = {
            "Moves a replica of a range to another server; without --from one is added, without",
            "--to one is removed."
        },
        footer = "  parterre move-replica 17 --from node-1 --to node-4 --dry-run")
final class MoveReplicaCommand extends ChangeCommand {
    @Parameters(paramLabel = "RANGE", description = "Number of the range.")
    private long rangeId;

    @Option(names = "--from", paramLabel = "NODE", description = "Server that loses its replica.")
    private String from = "";

    @Option(names = "--to", paramLabel = "NODE", description = "Server that gets one.")
    private String to = "";

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) {
        if (from.isEmpty() && to.isEmpty()) {
            throw new ParameterException(
                    spec().commandLine(), "neither --from nor --to (expected: one or both)");
        }
        MoveReplicaRequest request =
                MoveReplicaRequest.newBuilder()
                        .setRangeId(rangeId)
                        .setFrom(from)
                        .setTo(to)
                        .setDryRun(dry)
                        .build();
        return calls.ask(stub -> stub.moveReplica(request));
    }
}
