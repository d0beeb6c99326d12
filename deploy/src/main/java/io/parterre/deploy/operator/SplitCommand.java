package io.parterre.deploy.operator;

import com.google.protobuf.ByteString;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.admin.ChangeResponse;
import io.parterre.proto.admin.SplitRangeRequest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code parterre split}. */
@Command(
        name = "split",
        description = {
            "Cuts a range in two, between two partitions: half of its bytes lie on each side,",
            "unless --at says where. The new range has the same members."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  parterre split 17 --dry-run", "  parterre split 17 --leader node-2"})
final class SplitCommand extends ChangeCommand {
    private static final String BASE64 = "base64:";

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
            description = "Member that shall lead the new range. Default: who leads the old one.")
    private String leader = "";

    SplitCommand(Supplier<Transport> transports) {
        super(transports);
    }

    @Override
    ChangeResponse change(ManagerCalls calls, boolean dry) {
        SplitRangeRequest request =
                SplitRangeRequest.newBuilder()
                        .setRangeId(rangeId)
                        .setCut(cut())
                        .setLeader(leader)
                        .setDryRun(dry)
                        .build();
        return calls.ask(stub -> stub.splitRange(request));
    }

    private ByteString cut() {
        if (at == null) {
            return ByteString.EMPTY;
        }
        try {
            if (at.isEmpty()) {
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
