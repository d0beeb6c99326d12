package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.proto.node.CopyPart;
import io.parterre.server.copy.CopyFailure;
import io.parterre.server.metrics.CopyEnd;
import io.parterre.server.metrics.CopyMeter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Sends copies of one kind, each on a thread of its own. Their number is limited, and so is their
 * rate together. Safe for any thread.
 */
final class CopySends {
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

    /** Sends one copy. */
    @FunctionalInterface
    interface Sending {
        /**
         * Sends the whole copy and completes the stream.
         *
         * @throws StatusException if there is nothing to send, with what the receiver is told
         * @throws IOException if the copy is not whole
         */
        void run(CopyStream stream) throws IOException, StatusException;
    }

    private final String what;
    private final int sendsMax;
    private final CopyConfig config;
    private final BytePace pace;
    private final CopyMeter meter;
    private final LongSupplier nanoTicker;
    private final ThreadPoolExecutor threads;
    private final Set<CopyStream> streams = ConcurrentHashMap.newKeySet();

    /**
     * Creates the threads' pool.
     *
     * @param what names many of these copies, for receivers that are refused
     * @param threadName names the threads
     * @param sendsMax largest number of copies sent at a time
     */
    CopySends(
            String what,
            String threadName,
            int sendsMax,
            CopyConfig config,
            CopyMeter meter,
            LongSupplier nanoTicker) {
        this.what = what;
        this.sendsMax = sendsMax;
        this.config = config;
        this.pace = new BytePace(config.bytesPerSecondMax());
        this.meter = meter;
        this.nanoTicker = nanoTicker;
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        sendsMax,
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        DaemonThreads.named(threadName));
    }

    /**
     * Sends a copy on a thread of its own and ends the stream, with an error if the copy is not
     * whole. Does not block.
     *
     * @param ownPaces limit this copy besides the rate of all
     * @param onRefused called if too many copies are under way
     * @param onFailure called if the copy is not sent whole
     */
    void send(
            StreamObserver<CopyPart> observer,
            List<BytePace> ownPaces,
            Sending sending,
            Consumer<RejectedExecutionException> onRefused,
            Consumer<Exception> onFailure) {
        ServerCallStreamObserver<CopyPart> transport =
                (ServerCallStreamObserver<CopyPart>) observer;
        List<BytePace> paces = Stream.concat(Stream.of(pace), ownPaces.stream()).toList();
        CopyStream stream = new CopyStream(transport, config, paces, meter, nanoTicker);
        streams.add(stream);
        try {
            threads.execute(() -> run(sending, stream, transport, onFailure));
        } catch (RejectedExecutionException enough) {
            onRefused.accept(enough);
            streams.remove(stream);
            meter.refused(CopyEnd.BUSY);
            transport.onError(
                    Status.RESOURCE_EXHAUSTED
                            .withDescription(what + " under way: " + sendsMax)
                            .asRuntimeException());
        }
    }

    private void run(
            Sending sending,
            CopyStream stream,
            ServerCallStreamObserver<CopyPart> transport,
            Consumer<Exception> onFailure) {
        long beganNanos = nanoTicker.getAsLong();
        CopyEnd end = CopyEnd.FAILED;
        meter.begun();
        try {
            sending.run(stream);
            end = CopyEnd.DONE;
        } catch (StatusException refused) {
            end =
                    refused.getStatus().getCode() == Status.Code.FAILED_PRECONDITION
                            ? CopyEnd.NOT_LEADER
                            : CopyEnd.BUSY;
            transport.onError(refused);
        } catch (IOException | RuntimeException failure) {
            end = failure instanceof CopyFailure known ? known.end() : CopyEnd.FAILED;
            onFailure.accept(failure);
            if (!transport.isCancelled()) {
                transport.onError(
                        Status.ABORTED.withDescription(failure.getMessage()).asRuntimeException());
            }
        } finally {
            streams.remove(stream);
            meter.ended(end, Duration.ofNanos(nanoTicker.getAsLong() - beganNanos));
        }
    }

    /**
     * Ends the copies under way; their receivers ask again, here or elsewhere.
     *
     * @return false if a copy still runs
     */
    boolean end() {
        threads.shutdown();
        streams.forEach(CopyStream::cancel);
        return DaemonThreads.awaitEnd(threads, CLOSE_WAIT);
    }
}
