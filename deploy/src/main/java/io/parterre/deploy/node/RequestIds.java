package io.parterre.deploy.node;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * GUIDs of requests and their parts. They distinguish requests and protect nothing, so they need
 * not be hard to guess, and all event loops would wait for the lock of a secure generator.
 * Thread-safe.
 */
final class RequestIds implements Supplier<String> {
    private static final long VERSION_4 = 0x4000L;
    private static final long VARIANT_2 = 0x8000_0000_0000_0000L;

    @Override
    public String get() {
        return of(ThreadLocalRandom.current());
    }

    static String of(RandomGenerator random) {
        long high = random.nextLong() & ~0xF000L | VERSION_4;
        long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | VARIANT_2;
        return new UUID(high, low).toString();
    }
}
