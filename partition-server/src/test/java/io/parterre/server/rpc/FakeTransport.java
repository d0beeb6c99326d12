package io.parterre.server.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.ResponseBundle;
import java.util.ArrayList;
import java.util.List;

/** The transport's side of a stream: remembers what it was asked for and was sent. */
final class FakeTransport extends ServerCallStreamObserver<ResponseBundle> {
    final List<ResponseBundle> bundles = new ArrayList<>();
    int requested;
    boolean ready = true;
    boolean completed;
    Throwable error;
    private Runnable onReady = () -> {};
    private Runnable onCancel = () -> {};

    List<RangeResponse> responses() {
        return bundles.stream().flatMap(bundle -> bundle.getResponsesList().stream()).toList();
    }

    void becomeReady() {
        ready = true;
        onReady.run();
    }

    void cancel() {
        onCancel.run();
    }

    @Override
    public boolean isReady() {
        return ready;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
        onReady = handler;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {
        onCancel = handler;
    }

    @Override
    public void request(int count) {
        requested += count;
    }

    @Override
    public void onNext(ResponseBundle bundle) {
        if (completed || error != null) {
            throw new IllegalStateException("call already closed");
        }
        bundles.add(bundle);
    }

    @Override
    public void onError(Throwable failure) {
        error = failure;
    }

    @Override
    public void onCompleted() {
        completed = true;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void setCompression(String compression) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void disableAutoRequest() {}

    @Override
    public void setMessageCompression(boolean enable) {}
}
