package io.parterre.server;

import io.grpc.BindableService;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.AwaitAppliedRequest;
import io.parterre.proto.node.AwaitAppliedResponse;
import io.parterre.proto.node.CompareReplicaRequest;
import io.parterre.proto.node.CompareReplicaResponse;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.FlushResponse;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReadChangesRequest;
import io.parterre.proto.node.ReadRowsRequest;
import io.parterre.proto.node.RecordChangesRequest;
import io.parterre.proto.node.RecordChangesResponse;
import io.parterre.proto.node.RecoverEntryRequest;
import io.parterre.proto.node.RecoverEntryResponse;
import io.parterre.proto.node.RestoreRowsRequest;
import io.parterre.proto.node.RestoreRowsResponse;
import io.parterre.proto.node.TakeSnapshotRequest;
import io.parterre.proto.node.TakeSnapshotResponse;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.server.rpc.NodeServer;
import io.parterre.server.rpc.RangeServer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The services of a node whose store may have to be discarded first. Until the store is open,
 * callers get {@code UNAVAILABLE} and go elsewhere. Safe for any thread.
 */
final class ServicesOnceOpen {
    private ServicesOnceOpen() {}

    private static RuntimeException closed() {
        return Status.UNAVAILABLE
                .withDescription("this node cannot use its store")
                .asRuntimeException();
    }

    static BindableService ranges(Supplier<Optional<RangeServer>> open) {
        return new RangeServiceGrpc.RangeServiceImplBase() {
            @Override
            public StreamObserver<RequestBundle> exchange(StreamObserver<ResponseBundle> answers) {
                Optional<RangeServer> service = open.get();
                if (service.isPresent()) {
                    return service.get().exchange(answers);
                }
                answers.onError(closed());
                return new Ignored<>();
            }
        };
    }

    static BindableService node(Supplier<Optional<NodeServer>> open) {
        return new NodeServiceGrpc.NodeServiceImplBase() {
            private void ask(StreamObserver<?> response, Consumer<NodeServer> question) {
                open.get().ifPresentOrElse(question, () -> response.onError(closed()));
            }

            @Override
            public void copyReplica(CopyReplicaRequest request, StreamObserver<CopyPart> parts) {
                ask(parts, service -> service.copyReplica(request, parts));
            }

            @Override
            public void readRows(ReadRowsRequest request, StreamObserver<CopyPart> parts) {
                ask(parts, service -> service.readRows(request, parts));
            }

            @Override
            public void restoreRows(
                    RestoreRowsRequest request, StreamObserver<RestoreRowsResponse> response) {
                ask(response, service -> service.restoreRows(request, response));
            }

            @Override
            public void recordChanges(
                    RecordChangesRequest request, StreamObserver<RecordChangesResponse> response) {
                ask(response, service -> service.recordChanges(request, response));
            }

            @Override
            public void readChanges(ReadChangesRequest request, StreamObserver<CopyPart> parts) {
                ask(parts, service -> service.readChanges(request, parts));
            }

            @Override
            public void awaitApplied(
                    AwaitAppliedRequest request, StreamObserver<AwaitAppliedResponse> response) {
                ask(response, service -> service.awaitApplied(request, response));
            }

            @Override
            public void flush(FlushRequest request, StreamObserver<FlushResponse> response) {
                ask(response, service -> service.flush(request, response));
            }

            @Override
            public void takeSnapshot(
                    TakeSnapshotRequest request, StreamObserver<TakeSnapshotResponse> response) {
                ask(response, service -> service.takeSnapshot(request, response));
            }

            @Override
            public void compareReplica(
                    CompareReplicaRequest request,
                    StreamObserver<CompareReplicaResponse> response) {
                ask(response, service -> service.compareReplica(request, response));
            }

            @Override
            public void recoverEntry(
                    RecoverEntryRequest request, StreamObserver<RecoverEntryResponse> response) {
                ask(response, service -> service.recoverEntry(request, response));
            }
        };
    }

    /** Ignores further messages of a call that was refused. */
    private static final class Ignored<T> implements StreamObserver<T> {
        @Override
        public void onNext(T value) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }
}
