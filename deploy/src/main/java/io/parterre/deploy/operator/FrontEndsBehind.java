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

/** Front ends that have not taken a change of accounts. Stateless; for one thread, which waits. */
final class FrontEndsBehind {
    /** Those that are well take a change within milliseconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private FrontEndsBehind() {}

    /**
     * Waits for a while; gives those that hold no map of this version by then. Does not fail: what
     * was done, and keys that were made, are to be shown in any case.
     *
     * @param err told if nobody says who is behind
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
            // Who is behind is said with the answer.
            if (late.exitCode() != ExitCode.NOT_YET) {
                err.println("not known which front ends have heard of it: " + late.getMessage());
            }
        }
        return behind.get();
    }

    private static ListFrontEndsResponse frontEnds(AdminServiceBlockingStub stub) {
        return stub.listFrontEnds(ListFrontEndsRequest.getDefaultInstance());
    }

    /** Those that hold no map of this version, be they watching or silent. */
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
