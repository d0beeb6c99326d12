package io.parterre.server;

import java.util.List;
import java.util.Random;

/** Cuts a node off from some others and heals it again, a few times in a row. */
final class FlappingNetwork implements AutoCloseable {
    private static final int MILLIS_MIN = 50;
    private static final int MILLIS_BOUND = 400;

    private final Thread thread;

    FlappingNetwork(TestNetwork network, String node, List<String> others, int times) {
        thread = new Thread(() -> flap(network, node, others, times), "flapping-network");
        thread.start();
    }

    private static void flap(TestNetwork network, String node, List<String> others, int times) {
        Random random = new Random(times);
        try {
            for (int i = 0; i < times; i++) {
                network.isolate(node, others.subList(random.nextInt(2), others.size()));
                pass(random);
                network.heal();
                pass(random);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            network.heal();
        }
    }

    /** The fault is the time itself; nothing is waited for. */
    private static void pass(Random random) throws InterruptedException {
        Thread.sleep(random.nextInt(MILLIS_MIN, MILLIS_BOUND));
    }

    boolean hasEnded() {
        return !thread.isAlive();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
