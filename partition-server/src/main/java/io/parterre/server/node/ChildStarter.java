package io.parterre.server.node;

import io.parterre.concurrent.Alarm;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.crash.CrashHook;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChangeDriver;
import io.parterre.server.change.ChangeEffect;
import io.parterre.server.change.ChangeEvent;
import io.parterre.server.change.ChildDriver;
import io.parterre.server.change.RangeView;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lead.LedRanges;
import io.parterre.server.raft.Replica;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts children of splits: adds their Raft groups and, if this node leads the parent, makes it
 * lead the children at once. Uses a separate thread, because the thread that applies the split must
 * not wait. A start that is lost by a failure or an end of the process is repeated by {@link
 * ReplicaUpkeep#mend}, the next start, and an election after a timeout. Safe for any thread.
 */
final class ChildStarter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildStarter.class);

    private final Function<RangeId, Optional<Replica>> replicas;
    private final Join join;
    private final Supplier<Optional<LedRanges>> led;
    private final NodeId self;
    private final LongSupplier nanoTicker;
    private final Alarm alarm;
    private final CrashHook<CrashPoint> crash;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(DaemonThreads.named("child-start"));

    /** Joins a replica to its group; waits for the disk and for Ratis. */
    @FunctionalInterface
    interface Join {
        void run(Replica child) throws IOException;
    }

    /**
     * Creates the starter of a node.
     *
     * @param replicas finds replicas of this node
     * @param led changes of the ranges that the node leads; empty until it has started
     * @param crash called at each moment, for tests that end the node there
     */
    ChildStarter(
            Function<RangeId, Optional<Replica>> replicas,
            Join join,
            Supplier<Optional<LedRanges>> led,
            NodeId self,
            LongSupplier nanoTicker,
            Alarm alarm,
            CrashHook<CrashPoint> crash) {
        this.replicas = replicas;
        this.join = join;
        this.led = led;
        this.self = self;
        this.nanoTicker = nanoTicker;
        this.alarm = alarm;
        this.crash = crash;
    }

    /** Begins to start the children of one split, whose rows are there; does not wait. */
    void begin(List<RangeId> childIds, RangeId parentId) {
        onThread(childIds, () -> run(childIds, parentId));
    }

    private void onThread(Collection<RangeId> childIds, Runnable task) {
        try {
            thread.execute(
                    () -> {
                        try {
                            task.run();
                        } catch (RuntimeException failure) {
                            cutShort(childIds, failure);
                        }
                    });
        } catch (RejectedExecutionException closing) {
            LOG.debug("left to the next start rangeIds={}", childIds, closing);
        }
    }

    /**
     * All children have their groups before the first is led, because other members may need this
     * node's vote.
     */
    private void run(List<RangeId> childIds, RangeId parentId) {
        List<Replica> alive = new ArrayList<>();
        for (RangeId childId : childIds) {
            // Empty if the child was not created on this node.
            replicas.apply(childId).filter(this::hasJoined).ifPresent(alive::add);
        }
        if (replicas.apply(parentId).filter(Replica::isLeading).isPresent()) {
            elect(alive);
        }
    }

    private void cutShort(Collection<RangeId> childIds, Exception failure) {
        if (thread.isShutdown()) {
            LOG.debug("child start cut short at close rangeIds={}", childIds, failure);
        } else {
            LOG.warn("child not started rangeIds={}", childIds, failure);
        }
    }

    private boolean hasJoined(Replica child) {
        try {
            join.run(child);
            return true;
        } catch (IOException | RuntimeException failure) {
            cutShort(List.of(child.descriptor().rangeId()), failure);
            return false;
        }
    }

    private void elect(List<Replica> children) {
        Map<RangeId, Replica> byId = new LinkedHashMap<>();
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (Replica child : children) {
            RangeId childId = child.descriptor().rangeId();
            byId.put(childId, child);
            led.get()
                    .flatMap(leading -> leading.takeChildLeader(childId))
                    .ifPresent(leader -> leaders.put(childId, leader));
        }
        ChildDriver driver = new ChildDriver(self, List.copyOf(byId.keySet()), leaders);
        step(driver, driver.initial(), new ChangeEvent.Begun(), byId);
    }

    private void step(
            ChildDriver driver,
            ChildDriver.State state,
            ChangeEvent event,
            Map<RangeId, Replica> children) {
        long nowNanos = nanoTicker.getAsLong();
        Map<RangeId, RangeView> views = new HashMap<>();
        children.forEach((id, child) -> views.put(id, child.view()));
        ChangeDriver.Step<ChildDriver.State> step = driver.on(state, event, views, nowNanos);
        step.effects().forEach(effect -> perform(effect, children));
        step.wakeAtNanos()
                .ifPresent(
                        wakeAtNanos ->
                                alarm.in(
                                        Duration.ofNanos(Math.max(0, wakeAtNanos - nowNanos)),
                                        () ->
                                                onThread(
                                                        children.keySet(),
                                                        () ->
                                                                step(
                                                                        driver,
                                                                        step.next(),
                                                                        new ChangeEvent.Woken(),
                                                                        children))));
    }

    private void perform(ChangeEffect effect, Map<RangeId, Replica> children) {
        if (effect instanceof ChangeEffect.StandForElection stand) {
            children.get(stand.rangeId()).standForFirstElection();
        } else if (effect instanceof ChangeEffect.Led ledBy) {
            LOG.info(
                    "child leads rangeId={} tookMillis={}",
                    ledBy.rangeId(),
                    TimeUnit.NANOSECONDS.toMillis(ledBy.afterNanos()));
            crash.reached(CrashPoint.CHILD_LED);
        } else if (effect instanceof ChangeEffect.BeginTransfer transfer) {
            Replica child = children.get(transfer.rangeId());
            led.get()
                    .ifPresent(
                            leading ->
                                    leading.transferLeadership(
                                            child,
                                            child.descriptor().generation(),
                                            transfer.target()));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        if (!DaemonThreads.awaitEnd(thread, Duration.ofSeconds(10))) {
            LOG.warn("a child still starts at close");
        }
    }
}
