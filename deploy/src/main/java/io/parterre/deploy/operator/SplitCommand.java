package io.parterre.deploy.operator;

import com.google.protobuf.ByteString;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.SplitRangeRequest;
import java.util.Base64;
import java.util.HexFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code parterre split}. */
@Command(
        name = "split",
        description = {
            "Splits a range in two, between two partitions: half of its bytes lie on each side,",
            "unless --at says where. With --parts in more, of about as many bytes each. New ranges",
            "have the same members."
        },
        footer = {
            "  parterre split 17 --dry-run",
            "  parterre split 17 --leader node-2",
            "  parterre split 17 --parts 4"
        })
final class SplitCommand extends ChangeCommand {
    private static final String BASE64 = "base64:";
    private static final int PARTS_MAX = 16;

    @Parameters(paramLabel = "RANGE", description = "Number of the range.")
    private long rangeId;

    @Option(
            names = "--at",
            paramLabel = "KEY",
            description =
                    "First key of the new range, hexadecimal as 'ranges' prints keys, or base64: and"
                            + " what 'ranges --json' prints; the beginning of a partition, a table"
                            + " or an account. Default: where half of the bytes lie on each side.")
    private String at;

    @Option(
            names = "--leader",
            paramLabel = "NODE",
            description = "First leader of the new range. Default: the leader of the old one.")
    private String leader = "";

    @Option(
            names = "--parts",
            paramLabel = "N",
            description =
                    "Ranges that shall take the place of one, 2 to 16; fewer if large partitions are"
                            + " in the way. Not with --at or --leader, if more than 2. Default:"
                            + " ${DEFAULT-VALUE}.",
            defaultValue = "2")
    private int parts;

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) {
        SplitRangeRequest request =
                SplitRangeRequest.newBuilder()
                        .setRangeId(rangeId)
                        .setSplitPoint(splitPoint())
                        .setLeader(leader)
                        .setDryRun(dry)
                        .setParts(parts())
                        .build();
        return calls.ask(stub -> stub.splitRange(request));
    }

    /** Returns the number of parts for the request, where 0 stands for two. */
    private int parts() {
        boolean fixed = at != null || !leader.isEmpty();
        if (parts < 2 || parts > PARTS_MAX || fixed && parts > 2) {
            throw new ParameterException(
                    spec().commandLine(),
                    "--parts: "
                            + parts
                            + " (expected: 2 to "
                            + PARTS_MAX
                            + ", or 2 with --at or --leader)");
        }
        return parts == 2 ? 0 : parts;
    }

    private ByteString splitPoint() {
        if (at == null) {
            return ByteString.EMPTY;
        }
        try {
            if (at.isEmpty() || at.equals(BASE64)) {
                throw new IllegalArgumentException("empty");
            }
            return ByteString.copyFrom(
                    at.startsWith(BASE64)
                            ? Base64.getDecoder().decode(at.substring(BASE64.length()))
                            : HexFormat.of().parseHex(at));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec().commandLine(),
                    "--at: " + at + " (expected: hexadecimal digits, or base64:...)",
                    e);
        }
    }
}
