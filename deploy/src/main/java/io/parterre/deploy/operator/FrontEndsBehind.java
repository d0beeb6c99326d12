package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;
import io.parterre.proto.admin.AdminServiceGrpc.AdminServiceBlockingStub;
import io.parterre.proto.admin.FrontEndStatus;
import io.parterre.proto.admin.ListFrontEndsRequest;
import io.parterre.proto.admin.ListFrontEndsResponse;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Finds front ends that have not received a change of accounts. Stateless; confined to one thread,
 * which waits.
 */
final class FrontEndsBehind {
    /** Healthy front ends receive a change within milliseconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private FrontEndsBehind() {}

    /**
     * Waits for a while; returns the front ends that still hold no map of this version. Does not
     * fail, because the change made, and new keys, must be shown in any case.
     *
     * @param err told if it is unknown which front ends are behind
     */
    static List<FrontEndStatus> after(ManagerCalls calls, long version, PrintWriter err) {
        AtomicReference<List<FrontEndStatus>> behind = new AtomicReference<>(List.of());
        Waiting waiting = new Waiting(new PrintWriter(Writer.nullWriter()), PATIENCE);
        try {
            waiting.until(
                    () -> {
                        behind.set(of(calls.ask(FrontEndsBehind::frontEnds), version));
                        return Optional.of("front ends").filter(what -> !behind.get().isEmpty());
                    });
        } catch (OperatorException late) {
            // The answer names the front ends that are behind.
            if (late.exitCode() != ExitCode.NOT_YET) {
                err.println("not known which front ends have heard of it: " + late.getMessage());
            }
        }
        return behind.get();
    }

    private static ListFrontEndsResponse frontEnds(AdminServiceBlockingStub stub) {
        return stub.listFrontEnds(ListFrontEndsRequest.getDefaultInstance());
    }

    /**
     * Returns the front ends that hold no map of this version, whether they are watching or silent.
     */
    static List<FrontEndStatus> of(ListFrontEndsResponse known, long version) {
        return Stream.concat(known.getFrontEndsList().stream(), known.getSilentList().stream())
                .filter(each -> each.getConfirmedVersion() < version)
                .toList();
    }

    static void print(List<FrontEndStatus> behind, PrintWriter out) {
        for (FrontEndStatus each : behind) {
            out.println(
                    "not heard by front end "
                            + each.getName()
                            + (each.getAddress().isEmpty() ? "" : " at " + each.getAddress())
                            + (each.getSilentSeconds() > 0
                                    ? ", silent for " + each.getSilentSeconds() + " s"
                                    : "")
                            + ": it goes by the accounts of before");
        }
    }
}
