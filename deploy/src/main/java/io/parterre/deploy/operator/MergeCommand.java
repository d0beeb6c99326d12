package io.parterre.deploy.operator;

import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.MergeRangesRequest;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code parterre merge}. */
@Command(
        name = "merge",
        description = {
            "Makes one range of two neighbours: the left one gets the keys of the right one, which",
            "no longer exists. Replicas of the right one move first, if it has other members."
        },
        footer = {"  parterre merge 17 --dry-run", "  parterre merge 17 18"})
final class MergeCommand extends ChangeCommand {
    @Parameters(index = "0", paramLabel = "LEFT", description = "Number of the range that stays.")
    private long leftRangeId;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "RIGHT",
            defaultValue = "0",
            description = {
                "Number of the range that it absorbs; refused unless that one begins where the",
                "left one ends. Default: whichever does."
            },
            showDefaultValue = CommandLine.Help.Visibility.NEVER)
    private long rightRangeId;

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) {
        MergeRangesRequest request =
                MergeRangesRequest.newBuilder()
                        .setLeftRangeId(leftRangeId)
                        .setRightRangeId(rightRangeId)
                        .setDryRun(dry)
                        .build();
        return calls.ask(stub -> stub.mergeRanges(request));
    }
}
