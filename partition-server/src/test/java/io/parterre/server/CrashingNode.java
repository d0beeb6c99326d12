package io.parterre.server;

import io.parterre.crash.CrashHook;
import io.parterre.server.crash.CrashPoint;
import io.parterre.testing.SimulatedCrash;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends a node of this process at a moment that is named while it runs. Once it has, the node gets
 * past no moment any more, on none of its threads; what is left of it is to be killed.
 */
final class CrashingNode implements CrashHook<CrashPoint> {
    private volatile Optional<CrashPoint> at = Optional.empty();
    private final AtomicBoolean crashed = new AtomicBoolean();

    void crashAt(CrashPoint point) {
        at = Optional.of(point);
    }

    AtomicBoolean crashed() {
        return crashed;
    }

    @Override
    public void reached(CrashPoint point) {
        if (at.filter(point::equals).isPresent()) {
            crashed.set(true);
        }
        if (crashed.get()) {
            throw new SimulatedCrash(at);
        }
    }
}
