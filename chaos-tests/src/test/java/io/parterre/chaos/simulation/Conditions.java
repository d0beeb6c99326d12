package io.parterre.chaos.simulation;

import io.parterre.range.NodeId;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** How fast and how reliable everything is: drawn again for each run, and calm at its end. */
final class Conditions {
    private final SplittableRandom random;
    private final int lossPermille;
    private final int latePermille;
    private final int repeatPermille;
    private final int slowOrderPercent;
    private final int slowAppendPermille;
    final int faultMillis;
    final int momentPercent;
    final int requestMillis;
    final int thinkMillis;
    final boolean quietLoad;
    private final Set<NodeId> slowNodes = new TreeSet<>();
    private boolean calm;

    Conditions(SplittableRandom random) {
        this.random = random;
        this.lossPermille = random.nextInt(3) == 0 ? 0 : random.nextInt(60);
        this.latePermille = random.nextInt(30);
        this.repeatPermille = random.nextInt(80);
        this.slowOrderPercent = random.nextInt(10);
        this.slowAppendPermille = random.nextInt(3) == 0 ? random.nextInt(300) : 0;
        this.faultMillis = 1_500 << random.nextInt(5);
        this.momentPercent = random.nextInt(2) * random.nextInt(60);
        this.requestMillis = 700 + random.nextInt(4_000);
        this.thinkMillis = 500 << random.nextInt(5);
        this.quietLoad = random.nextInt(3) == 0;
    }

    void calm() {
        calm = true;
        slowNodes.clear();
    }

    boolean isCalm() {
        return calm;
    }

    void slow(NodeId node, boolean slow) {
        if (slow) {
            slowNodes.add(node);
        } else {
            slowNodes.remove(node);
        }
    }

    boolean slowDisk(NodeId node) {
        return slowNodes.contains(node);
    }

    long applyMillis(NodeId node) {
        return slowNodes.contains(node) ? random.nextInt(400) : random.nextInt(3);
    }

    boolean loses() {
        return !calm && random.nextInt(1_000) < lossPermille;
    }

    boolean repeats() {
        return !calm && random.nextInt(1_000) < repeatPermille;
    }

    long repeatMillis() {
        return random.nextInt(random.nextInt(4) == 0 ? 20_000 : 500);
    }

    /** Of a message. */
    long delayMillis() {
        return !calm && random.nextInt(1_000) < latePermille
                ? random.nextInt(1_000)
                : 1 + random.nextInt(4);
    }

    /** Until what waits becomes an entry: the log may be slow for a while. */
    long appendMillis() {
        return !calm && random.nextInt(1_000) < slowAppendPermille
                ? random.nextInt(4_000)
                : random.nextInt(3);
    }

    /** Of an order, until it is its turn. */
    long orderMillis() {
        return !calm && random.nextInt(100) < slowOrderPercent
                ? random.nextInt(4_000)
                : random.nextInt(20);
    }

    long copyMillis() {
        return 10 + random.nextInt(calm || random.nextInt(3) > 0 ? 100 : 3_000);
    }
}
