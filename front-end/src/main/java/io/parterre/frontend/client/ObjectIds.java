package io.parterre.frontend.client;

import io.grpc.stub.StreamObserver;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.key.ObjectId;
import io.parterre.proto.manager.LeaseObjectIdsRequest;
import io.parterre.proto.manager.LeaseObjectIdsResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ids for new tables, leased from the manager in blocks. A block whose answer was lost is never
 * used, nor is the rest of a block when the process ends. Thread-safe.
 */
final class ObjectIds {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectIds.class);
    private static final int TRIES_MAX = 8;
    private static final int TRY_SECONDS = 3;

    private final ManagerEndpoints managers;
    private final ClusterClientConfig config;
    private final ScheduledExecutorService timer;

    // Guarded by this.
    private long next = 1;
    private long endExclusive = 1;
    private Optional<CompletableFuture<Void>> lease = Optional.empty();

    ObjectIds(
            ManagerEndpoints managers, ClusterClientConfig config, ScheduledExecutorService timer) {
        this.managers = managers;
        this.config = config;
        this.timer = timer;
    }

    /** Returns the next id. Completes with {@code SERVER_BUSY} if no manager leases ids in time. */
    CompletableFuture<ObjectId> next(Deadline deadline) {
        CompletableFuture<Void> leased;
        boolean ask;
        synchronized (this) {
            if (!isUsedUp()) {
                return CompletableFuture.completedFuture(new ObjectId(next++));
            }
            ask = lease.isEmpty();
            leased = lease.orElseGet(CompletableFuture::new);
            lease = Optional.of(leased);
        }
        if (ask) {
            ask(leased, 1);
        }
        // A copy, so that one caller's deadline does not end the wait of the others.
        return leased.copy()
                .orTimeout(Math.max(1, deadline.leftNanos()), TimeUnit.NANOSECONDS)
                .exceptionally(
                        failure -> {
                            throw new StorageException(ErrorCode.SERVER_BUSY, failure);
                        })
                .thenCompose(done -> next(deadline));
    }

    private void ask(CompletableFuture<Void> leased, int tries) {
        ManagerEndpoint manager = managers.current();
        ManagerServiceGrpc.newStub(manager.channel())
                .withDeadlineAfter(TRY_SECONDS, TimeUnit.SECONDS)
                .leaseObjectIds(
                        LeaseObjectIdsRequest.newBuilder()
                                .setCount(config.objectIdsPerLease())
                                .build(),
                        new StreamObserver<>() {
                            @Override
                            public void onNext(LeaseObjectIdsResponse block) {
                                take(block);
                            }

                            @Override
                            public void onError(Throwable cause) {
                                managers.failed(manager, cause);
                                askAgain(leased, tries, cause);
                            }

                            @Override
                            public void onCompleted() {
                                if (isUsedUp()) {
                                    onError(new IllegalStateException("no ids were leased"));
                                    return;
                                }
                                end(leased);
                                leased.complete(null);
                            }
                        });
    }

    private synchronized boolean isUsedUp() {
        return next >= endExclusive;
    }

    private synchronized void take(LeaseObjectIdsResponse block) {
        next = block.getFirst();
        endExclusive = block.getFirst() + block.getCount();
    }

    private synchronized void end(CompletableFuture<Void> leased) {
        if (lease.equals(Optional.of(leased))) {
            lease = Optional.empty();
        }
    }

    private void askAgain(CompletableFuture<Void> leased, int tries, Throwable cause) {
        if (tries < TRIES_MAX) {
            try {
                timer.schedule(
                        () -> ask(leased, tries + 1),
                        config.reconnectDelay(tries - 1).toMillis(),
                        TimeUnit.MILLISECONDS);
                return;
            } catch (RejectedExecutionException closing) {
                LOG.debug("object ids not leased: the front end closes");
            }
        }
        LOG.warn("object ids not leased tries={} cause={}", tries, cause.getMessage());
        end(leased);
        leased.completeExceptionally(cause);
    }
}
