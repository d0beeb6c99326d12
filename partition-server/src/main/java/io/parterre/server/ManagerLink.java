package io.parterre.server;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.crash.CrashHook;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.proto.manager.FeatureLevels;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.Node;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.NewerReleaseException;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.store.DataFolder;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Communicates with the partition manager that leads: sends reports at every interval and after
 * every change, and passes the orders in the answers on. Runs on one thread of its own, which reads
 * from the store for each report and waits for nothing else. Without a manager the node goes on
 * serving the ranges that it has.
 */
final class ManagerLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManagerLink.class);
    private static final Duration ANSWER_WAIT_MAX = Duration.ofSeconds(5);

    private static final FeatureLevels READABLE =
            FeatureLevels.newBuilder()
                    .setOldest(io.parterre.release.FeatureLevels.OF_RELEASE.oldest().value())
                    .setNewest(io.parterre.release.FeatureLevels.OF_RELEASE.newest().value())
                    .build();

    private final ManagerEndpoints managers;
    private final Node self;
    private final DataFolder folder;
    private final KeptLevel level;
    private final Supplier<HeartbeatRequest.Builder> reports;
    private final Consumer<HeartbeatResponse> onAnswer;
    private final Duration interval;
    private final Consumer<StoreFailure> onFailure;
    private final CrashHook<CrashPoint> crash;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean beatQueued = new AtomicBoolean();
    private final OrderTaker orders;
    // Confined to the thread, with the five fields below.
    private boolean underWay;
    private boolean wantedAgain;
    private boolean idleWhenReported;
    private int failuresInRow;
    private boolean reachable = true;
    private boolean refused;
    // Both written by the thread only.
    private volatile boolean heard;
    private volatile Optional<String> refusal = Optional.empty();

    /**
     * Makes a link that is silent until it is started.
     *
     * @param level receives the cluster's feature level from the managers' answers
     * @param reports makes the node's reports without its identity; called on the link's thread
     * @param orders makes the receiver of the answers from a task, which the receiver runs when a
     *     change has to be reported at once
     * @param onAnswer receives each answer before its orders are taken; called on the link's thread
     * @param onFailure receives the failure if the data is another cluster's, or the cluster is too
     *     new for this release
     * @param thread the link's own from here on
     */
    ManagerLink(
            ManagerEndpoints managers,
            Node self,
            DataFolder folder,
            KeptLevel level,
            Supplier<HeartbeatRequest.Builder> reports,
            Function<Runnable, OrderTaker> orders,
            Consumer<HeartbeatResponse> onAnswer,
            Duration interval,
            Consumer<StoreFailure> onFailure,
            CrashHook<CrashPoint> crash,
            ScheduledExecutorService thread) {
        this.managers = managers;
        this.self = self;
        this.folder = folder;
        this.level = level;
        this.reports = reports;
        this.onAnswer = onAnswer;
        this.interval = interval;
        this.onFailure = onFailure;
        this.crash = crash;
        this.thread = thread;
        this.orders = orders.apply(this::changed);
    }

    /** Reports at once, and then at every interval. */
    void start() {
        thread.scheduleAtFixedRate(
                () -> guarded(this::beat), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns whether a manager has ever answered a report. */
    boolean hasBeenHeard() {
        return heard;
    }

    /**
     * Returns the reason why the leading manager refuses this node's reports; empty: it accepts
     * them, as far as known.
     */
    Optional<String> refusal() {
        return refusal;
    }

    /** Reports soon because of a change. Never blocks. */
    void changed() {
        if (beatQueued.compareAndSet(false, true)) {
            run(
                    () -> {
                        beatQueued.set(false);
                        beat();
                    });
        }
    }

    private void run(Runnable task) {
        try {
            thread.execute(() -> guarded(task));
        } catch (RejectedExecutionException closing) {
            LOG.debug("link is closing", closing);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException failure) {
            LOG.error("talk with the manager failed", failure);
        }
    }

    private void beat() {
        if (refused) {
            return;
        }
        if (underWay) {
            wantedAgain = true;
            return;
        }
        // Read before the report is made, because orders may end meanwhile.
        idleWhenReported = orders.isIdle();
        HeartbeatRequest report =
                reports.get()
                        .setNode(self)
                        .setClusterId(folder.identity().clusterId().orElse(""))
                        .setFeatureLevels(READABLE)
                        .addAllRefusedSplits(orders.refusedSplits())
                        .addAllRefusedMerges(orders.refusedMerges())
                        .build();
        Set<RangeId> told =
                report.getReplicasList().stream()
                        .map(each -> new RangeId(each.getRangeId()))
                        .collect(Collectors.toSet());
        underWay = true;
        ManagerEndpoint manager = managers.current();
        ManagerServiceGrpc.newStub(manager.channel())
                .withDeadlineAfter(ANSWER_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
                .heartbeat(
                        report,
                        new StreamObserver<>() {
                            @Override
                            public void onNext(HeartbeatResponse response) {
                                run(() -> answered(response, told));
                            }

                            @Override
                            public void onError(Throwable failure) {
                                run(() -> failed(manager, failure));
                            }

                            @Override
                            public void onCompleted() {
                                run(ManagerLink.this::ended);
                            }
                        });
    }

    private void answered(HeartbeatResponse response, Set<RangeId> told) {
        failuresInRow = 0;
        if (!reachable) {
            reachable = true;
            LOG.info("partition manager reached again");
        }
        try {
            level.learned(FeatureLevel.told(response.getFeatureLevel()));
            if (!response.getClusterId().isEmpty()) {
                boolean first = folder.identity().clusterId().isEmpty();
                if (first) {
                    crash.reached(CrashPoint.BEFORE_CLUSTER_ID);
                }
                folder.join(response.getClusterId());
                if (first) {
                    crash.reached(CrashPoint.AFTER_CLUSTER_ID);
                }
            }
        } catch (IOException | NewerReleaseException foreign) {
            if (thread.isShutdown()) {
                LOG.debug("joining the cluster cut short at close", foreign);
                return;
            }
            refused = true;
            onFailure.accept(new StoreFailure("joining the cluster", foreign));
            return;
        }
        // Called before the answer lets a restarted node lead.
        onAnswer.accept(response);
        if (idleWhenReported) {
            orders.take(response, told);
        } else {
            // Orders follow from the report, and this report described replicas that were changing.
            orders.pass(response);
        }
        managers.learned(response.getManagersList());
        heard = true;
        refusal = Optional.empty();
    }

    private void failed(ManagerEndpoint asked, Throwable failure) {
        managers.failed(asked, failure);
        underWay = false;
        Status status = Status.fromThrowable(failure);
        if (status.getCode() == Status.Code.FAILED_PRECONDITION && refusal.isEmpty()) {
            refusal = Optional.of(String.valueOf(status.getDescription()));
            LOG.warn("partition manager refuses the report reason={}", refusal.get());
        }
        failuresInRow++;
        if (failuresInRow < managers.size()) {
            // Another manager may lead.
            beat();
            return;
        }
        if (reachable) {
            reachable = false;
            LOG.warn(
                    "no partition manager that leads has answered, serving goes on manager={}"
                            + " code={} reason={}",
                    asked.address(),
                    status.getCode(),
                    reason(status));
        }
        // The next interval is soon enough.
        wantedAgain = false;
        // Work that was cut short needs no manager to go on.
        orders.take(HeartbeatResponse.getDefaultInstance(), Set.of());
    }

    /**
     * Returns the message of the cause if there is one, because gRPC's own description is of no use
     * then.
     */
    private static String reason(Status status) {
        Throwable cause = status.getCause();
        String words = cause == null ? status.getDescription() : cause.getMessage();
        return words == null ? "" : words.lines().findFirst().orElse("");
    }

    private void ended() {
        underWay = false;
        if (wantedAgain) {
            wantedAgain = false;
            beat();
        }
    }

    @Override
    public void close() {
        orders.close();
        thread.shutdownNow();
        if (!DaemonThreads.awaitEnd(thread, ANSWER_WAIT_MAX)) {
            LOG.warn("a report is still made at close");
        }
    }
}
