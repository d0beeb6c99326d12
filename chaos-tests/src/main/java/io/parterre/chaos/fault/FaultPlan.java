package io.parterre.chaos.fault;

import io.parterre.chaos.fault.Fault.Kind;
import io.parterre.chaos.fault.Fault.Target;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Chooses the next fault. The first faults are a kill of each kind of target in some order. After
 * that, two of five hit the leading server, and a quarter are pauses. The same generator gives the
 * same faults. Confined to one thread.
 */
public final class FaultPlan {
    private static final int WRITES_BEFORE_MAX = 150;
    private static final int PICK_BOUND = 60;
    private static final int PAUSE_MILLIS_MIN = 500;
    private static final int PAUSE_MILLIS_MAX = 6_000;

    private static final List<Target> TARGETS =
            List.of(
                    Target.LEADING_SERVER,
                    Target.LEADING_SERVER,
                    Target.LEADING_SERVER,
                    Target.LEADING_SERVER,
                    Target.ANY_SERVER,
                    Target.ANY_SERVER,
                    Target.LEADING_MANAGER,
                    Target.ANY_MANAGER,
                    Target.FRONT_END,
                    Target.FRONT_END);

    private final RandomGenerator random;
    private final Deque<Target> first;

    public FaultPlan(RandomGenerator random) {
        this.random = random;
        this.first = new ArrayDeque<>(shuffled(List.of(Target.values())));
    }

    private List<Target> shuffled(List<Target> targets) {
        List<Target> left = new ArrayList<>(targets);
        List<Target> shuffled = new ArrayList<>();
        while (!left.isEmpty()) {
            shuffled.add(left.remove(random.nextInt(left.size())));
        }
        return shuffled;
    }

    public Fault next() {
        if (!first.isEmpty()) {
            return fault(Kind.KILL, first.remove());
        }
        Kind kind = random.nextInt(4) == 0 ? Kind.PAUSE : Kind.KILL;
        return fault(kind, TARGETS.get(random.nextInt(TARGETS.size())));
    }

    /** Returns a pause of the leading server. */
    public Fault nextPauseOfLeader() {
        return fault(Kind.PAUSE, Target.LEADING_SERVER);
    }

    private Fault fault(Kind kind, Target target) {
        return new Fault(
                kind,
                target,
                random.nextInt(PICK_BOUND),
                1 + random.nextInt(WRITES_BEFORE_MAX),
                Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX)));
    }
}
