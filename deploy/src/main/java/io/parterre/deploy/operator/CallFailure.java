package io.parterre.deploy.operator;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Why a process has not executed a request, explained for operators.
 *
 * @param words one line: what is wrong, and where to look
 * @param lasting whether a retry a moment later would fail in the same way
 */
record CallFailure(String words, boolean lasting) {
    private static final int CAUSES_MAX = 10;

    /**
     * Returns the reason for a failure.
     *
     * @param what what the process was expected to be, such as "partition manager"
     * @param waitedMax longest wait for its answer
     */
    static CallFailure of(StatusRuntimeException failure, String what, Duration waitedMax) {
        Status status = failure.getStatus();
        Optional<String> said =
                Optional.ofNullable(status.getDescription())
                        .flatMap(text -> text.lines().findFirst());
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED ->
                    soon(
                            "has not answered within "
                                    + seconds(waitedMax)
                                    + " s (does it run, and is it reached? its log tells)");
            case UNAVAILABLE -> unavailable(failure, what, said);
            case UNIMPLEMENTED ->
                    lasting("answers, but is no " + what + ", or one that does not know this call");
            case CANCELLED -> soon("has broken the call off");
            default -> failed(failure, what, said);
        };
    }

    private static CallFailure unavailable(
            StatusRuntimeException failure, String what, Optional<String> said) {
        if (caused(failure, UnknownHostException.class)
                || said.filter(text -> text.startsWith("Unable to resolve host")).isPresent()) {
            return lasting("its name is not known here");
        }
        if (caused(failure, ConnectException.class)) {
            return soon("cannot be connected to (does it run, and on this port?)");
        }
        if (caused(failure, NoRouteToHostException.class)) {
            return soon("cannot be reached from here");
        }
        Optional<CallFailure> unsecured = certificates(failure);
        if (unsecured.isPresent()) {
            return unsecured.get();
        }
        if (speaksOtherwise(failure, said)) {
            return noService(what);
        }
        return failure.getCause() == null
                ? soon(said.orElse("is not available"))
                : soon("has lost the connection (does it still run?)");
    }

    private static CallFailure failed(
            StatusRuntimeException failure, String what, Optional<String> said) {
        return speaksOtherwise(failure, said)
                ? noService(what)
                : lasting(
                        "has failed (its log tells why): "
                                + said.orElse(failure.getStatus().getCode().name()));
    }

    /** Returns trouble with certificates, which only the innermost cause describes. */
    private static Optional<CallFailure> certificates(StatusRuntimeException failure) {
        if (!caused(failure, SSLException.class)) {
            return Optional.empty();
        }
        if (caused(failure, NotSslRecordException.class)) {
            return Optional.of(
                    lasting("speaks plain text, and this command TLS (tls section, --tls-...)"));
        }
        Throwable innermost = causes(failure).reduce((outer, inner) -> inner).orElseThrow();
        return Optional.of(
                lasting(
                        "one end does not accept the other's certificate: "
                                + innermost.getMessage()));
    }

    /**
     * Returns whether the other end is no gRPC service, which other frames or an HTTP status
     * reveal.
     */
    static boolean speaksOtherwise(StatusRuntimeException failure, Optional<String> said) {
        return said.filter(text -> text.startsWith("HTTP status code")).isPresent()
                || causes(failure)
                        .anyMatch(cause -> cause.getClass().getName().contains("Http2Exception"));
    }

    private static CallFailure noService(String what) {
        return lasting("answers, but not as a " + what + "'s service does (another port?)");
    }

    private static boolean caused(Throwable failure, Class<? extends Throwable> by) {
        return causes(failure).anyMatch(by::isInstance);
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(CAUSES_MAX);
    }

    private static String seconds(Duration time) {
        return Long.toString(Math.max(1, Math.round(time.toMillis() / 1_000.0)));
    }

    private static CallFailure soon(String words) {
        return new CallFailure(words, false);
    }

    private static CallFailure lasting(String words) {
        return new CallFailure(words, true);
    }
}
