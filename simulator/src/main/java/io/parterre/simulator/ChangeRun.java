package io.parterre.simulator;

import io.parterre.server.change.ChangeDriver;
import io.parterre.server.change.ChangeEffect;
import io.parterre.server.change.ChangeEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiConsumer;

/**
 * Runs a change's driver in simulated time, as a server runs it in real time. Not thread-safe.
 *
 * @param <S> state of the driver
 */
public final class ChangeRun<S> {
    private final ChangeNode node;
    private final ChangeDriver<S> driver;
    private final BiConsumer<S, Boolean> done;
    private final Queue<ChangeEvent> events = new ArrayDeque<>();
    private S state;
    private boolean performing;
    private boolean ended;
    private long steps;

    private ChangeRun(ChangeNode node, ChangeDriver<S> driver, BiConsumer<S, Boolean> done) {
        this.node = node;
        this.driver = driver;
        this.done = done;
        this.state = driver.initial();
    }

    /**
     * Begins a change.
     *
     * @param done called with the last state and whether anything was done, unless the process ends
     *     before
     */
    public static <S> void begin(
            ChangeNode node, ChangeDriver<S> driver, BiConsumer<S, Boolean> done) {
        new ChangeRun<>(node, driver, done).on(new ChangeEvent.Begun());
    }

    private void on(ChangeEvent event) {
        if (node.runs()) {
            events.add(event);
            drain();
        }
    }

    private void drain() {
        while (!performing && !ended && !events.isEmpty()) {
            step(events.remove());
        }
    }

    private void step(ChangeEvent event) {
        long step = ++steps;
        long nowMillis = node.nowMillis();
        ChangeDriver.Step<S> next =
                driver.on(state, event, node.views(), Duration.ofMillis(nowMillis).toNanos());
        state = next.next();
        next.wakeAtNanos()
                .ifPresent(
                        atNanos -> {
                            long atMillis = Duration.ofNanos(atNanos).toMillis();
                            node.later(Math.max(1, atMillis - nowMillis), () -> wake(step));
                        });
        if (!next.effects().isEmpty()) {
            performing = true;
            node.perform(
                    () -> {
                        next.effects().forEach(this::perform);
                        performing = false;
                        drain();
                    });
        }
    }

    private void wake(long step) {
        if (steps == step) {
            on(new ChangeEvent.Woken());
        }
    }

    private void perform(ChangeEffect effect) {
        if (effect instanceof ChangeEffect.Propose propose) {
            node.propose(propose.rangeId(), propose.command(), this::on);
        } else if (effect instanceof ChangeEffect.Repeat repeat) {
            node.repeat(repeat.rangeId(), repeat.command());
        } else if (effect instanceof ChangeEffect.AskMember question) {
            node.ask(question, this::on);
        } else if (effect instanceof ChangeEffect.Configure wanted) {
            node.configure(wanted, this::on);
        } else if (effect instanceof ChangeEffect.Transfer transfer) {
            node.transfer(transfer.rangeId(), transfer.target(), this::on);
        } else if (effect instanceof ChangeEffect.StandForElection stand) {
            node.standForElection(stand.rangeId());
        } else if (effect instanceof ChangeEffect.BeginTransfer begin) {
            node.beginTransfer(begin.rangeId(), begin.target());
        } else if (effect instanceof ChangeEffect.Led led) {
            node.led(led.rangeId());
        } else if (effect instanceof ChangeEffect.Tell told) {
            node.tell(told.line());
        } else {
            ended = true;
            done.accept(state, effect instanceof ChangeEffect.End end && end.changed());
        }
    }
}
