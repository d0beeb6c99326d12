package io.parterre.deploy.operator;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.Transport;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.AdminServiceGrpc.AdminServiceBlockingStub;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Calls to the leading manager. A manager that does not lead names the leader; one that does not
 * answer, or is no manager, is skipped. Confined to one thread.
 *
 * <p>A call in flight when a manager fell silent may have been executed, and is then repeated at
 * the next leader. This is safe because every call of the service may be repeated.
 */
final class ManagerCalls implements AutoCloseable {
    /** Pause between attempts; an election takes a second or two. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** Limits one attempt, so that a hanging manager leaves time to ask the others. */
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(4);

    /** An attempt shorter than this tells nothing about the manager. */
    private static final Duration TELLING = Duration.ofSeconds(1);

    private final Transport transport;
    private final List<HostPort> managers;
    private final Duration timeout;
    private final Map<HostPort, ManagedChannel> channels = new HashMap<>();
    private HostPort current;

    /**
     * Creates the calls without connecting.
     *
     * @param transport closed by the caller
     * @param managers at least one manager
     * @param timeout timeout of each call, with all its attempts
     */
    ManagerCalls(Transport transport, List<HostPort> managers, Duration timeout) {
        this.transport = transport;
        this.managers = List.copyOf(managers);
        this.timeout = timeout;
        this.current = managers.get(0);
    }

    /**
     * Makes a call.
     *
     * @throws OperatorException if no leading manager answers in time, or if it refuses
     */
    <T> T ask(Function<AdminServiceBlockingStub, T> call) {
        long endNanos = System.nanoTime() + timeout.toNanos();
        Map<HostPort, CallFailure> troubles = new LinkedHashMap<>();
        int passedOver = 0;
        while (true) {
            long unasked = managers.stream().filter(each -> !troubles.containsKey(each)).count();
            long waitNanos =
                    Math.min(
                            (endNanos - System.nanoTime()) / Math.max(1, unasked),
                            ATTEMPT_TIMEOUT.toNanos());
            try {
                return call.apply(
                        AdminServiceGrpc.newBlockingStub(channel(current))
                                .withDeadlineAfter(waitNanos, TimeUnit.NANOSECONDS));
            } catch (StatusRuntimeException e) {
                if (isRefusal(e)) {
                    throw new OperatorException(ExitCode.REFUSED, words(e));
                }
                CallFailure trouble =
                        CallFailure.of(e, "partition manager", Duration.ofNanos(waitNanos));
                // A last attempt that is too short tells less than the one before.
                if (waitNanos >= TELLING.toNanos() || !troubles.containsKey(current)) {
                    troubles.put(current, trouble);
                }
                boolean hopeless =
                        troubles.keySet().containsAll(managers)
                                && troubles.values().stream().allMatch(CallFailure::lasting);
                if (hopeless || endNanos - System.nanoTime() < PAUSE.toNanos()) {
                    throw unreachable(troubles);
                }
                Optional<HostPort> leader = leader(e);
                if (leader.isEmpty() || ++passedOver % managers.size() == 0) {
                    Waiting.pause(PAUSE);
                }
                current = leader.filter(named -> !named.equals(current)).orElseGet(this::next);
            }
        }
    }

    private HostPort next() {
        // A named leader that is not in the list is followed by the first manager.
        return managers.get((managers.indexOf(current) + 1) % managers.size());
    }

    /**
     * Returns whether the error is the leading manager's verdict on the request, which another
     * manager would repeat.
     */
    private static boolean isRefusal(StatusRuntimeException e) {
        return switch (e.getStatus().getCode()) {
            case INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    FAILED_PRECONDITION,
                    OUT_OF_RANGE,
                    RESOURCE_EXHAUSTED,
                    PERMISSION_DENIED,
                    UNAUTHENTICATED ->
                    !CallFailure.speaksOtherwise(
                            e, Optional.ofNullable(e.getStatus().getDescription()));
            default -> false;
        };
    }

    private static String words(StatusRuntimeException e) {
        return Optional.ofNullable(e.getStatus().getDescription())
                .orElse(e.getStatus().getCode().name());
    }

    private static Optional<HostPort> leader(StatusRuntimeException e) {
        Metadata trailers = Status.trailersFromThrowable(e);
        String named = trailers == null ? null : trailers.get(ManagerEndpoints.LEADER);
        return Optional.ofNullable(named).map(HostPort::parse);
    }

    private OperatorException unreachable(Map<HostPort, CallFailure> troubles) {
        StringBuilder text =
                new StringBuilder("no partition manager that leads has answered within ")
                        .append(timeout.toSeconds())
                        .append(" s, asked:");
        troubles.forEach(
                (address, trouble) ->
                        text.append(System.lineSeparator())
                                .append("  ")
                                .append(address)
                                .append(": ")
                                .append(trouble.words()));
        managers.stream()
                .filter(each -> !troubles.containsKey(each))
                .forEach(
                        each ->
                                text.append(System.lineSeparator())
                                        .append("  ")
                                        .append(each)
                                        .append(": not asked, no time was left"));
        return new OperatorException(ExitCode.CLUSTER_UNREACHABLE, text.toString());
    }

    private ManagedChannel channel(HostPort address) {
        return channels.computeIfAbsent(
                address, each -> transport.connect(each, PeerName.any(PeerRole.MANAGER)));
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
