package io.parterre.deploy.network;

import io.grpc.BindableService;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.proto.admin.RecoverRangeRequest;
import io.parterre.proto.node.EntryStep;
import io.parterre.proto.node.ReadChangesRequest;
import io.parterre.proto.node.ReadRowsRequest;
import io.parterre.proto.node.RecordChangesRequest;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RestoreRowsRequest;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requires the operators' token for calls that lose data, or that read and restore rows for
 * backups; passes all other calls. This class alone defines which calls these are. Orders of
 * managers to servers are in answers to heartbeats and need no token. Thread-safe.
 */
public final class DataLossGuard implements ServerInterceptor {
    static final Metadata.Key<String> TOKEN =
            Metadata.Key.of("parterre-operator-token", Metadata.ASCII_STRING_MARSHALLER);

    private static final Logger LOG = LoggerFactory.getLogger(DataLossGuard.class);

    private final OperatorToken expected;

    private DataLossGuard(OperatorToken expected) {
        this.expected = expected;
    }

    /** Returns the services with this guard in front of them. */
    public static List<BindableService> before(
            List<BindableService> services, OperatorToken expected) {
        DataLossGuard guard = new DataLossGuard(expected);
        return services.stream().map(service -> guarded(service, guard)).toList();
    }

    private static BindableService guarded(BindableService service, DataLossGuard guard) {
        ServerServiceDefinition definition = ServerInterceptors.intercept(service, guard);
        return () -> definition;
    }

    /** Returns the stub with this token added to its calls. */
    public static <S extends AbstractStub<S>> S carrying(OperatorToken token, S stub) {
        if (token.isNone()) {
            return stub;
        }
        Metadata headers = new Metadata();
        headers.put(TOKEN, token.secret());
        return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /**
     * Returns whether executing the request discards acknowledged data, or moves rows out or in.
     */
    static boolean needsToken(Object request) {
        if (request instanceof RecoverRangeRequest recovery) {
            return recovery.getAcceptDataLoss() && !recovery.getDryRun();
        }
        // Rows that are read leave the cluster, and restored ones get the timestamps of the
        // request.
        if (request instanceof ReadRowsRequest
                || request instanceof ReadChangesRequest
                || request instanceof RecordChangesRequest
                || request instanceof RestoreRowsRequest) {
            return true;
        }
        return request instanceof RecoverEntryRequest recovery
                && (recovery.getStep() == EntryStep.SKIP
                        || recovery.getStep() == EntryStep.RESUME_SKIPPING);
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        Optional<String> presented = Optional.ofNullable(headers.get(TOKEN));
        return new CheckedListener<>(next.startCall(call, headers), call) {
            @Override
            Optional<String> refusal(A request) {
                if (!needsToken(request)) {
                    return Optional.empty();
                }
                String method = call.getMethodDescriptor().getFullMethodName();
                Object from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
                Optional<String> refusal = expected.refusal(presented);
                if (refusal.isPresent()) {
                    LOG.warn(
                            "call that needs the token refused method={} from={} reason={}",
                            method,
                            from,
                            refusal.get());
                } else if (RepeatedCalls.contains(method)) {
                    LOG.debug("call that needs the token taken method={} from={}", method, from);
                } else {
                    LOG.info("call that needs the token taken method={} from={}", method, from);
                }
                return refusal;
            }
        };
    }
}
