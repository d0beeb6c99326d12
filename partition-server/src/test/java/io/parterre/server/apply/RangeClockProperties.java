package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds for every order of stamps, writes, resets and merges. */
final class RangeClockProperties {
    /** A range's clock, and all timestamps that it has given. */
    private static final class Range {
        private RangeClock clock = new RangeClock();
        private final TreeSet<Long> given = new TreeSet<>();

        void write(long stamp) {
            clock.advance(stamp);
            long next = clock.next(clock.lastTimestampTicks());
            clock.used(next);
            assertThat(given.add(next)).as("timestamp %s", next).isTrue();
            assertThat(next).isGreaterThanOrEqualTo(stamp);
        }

        /** By a leader that knows of a time from which on timestamps may have been given. */
        void reset(long stamp, Random random) {
            Long first = given.ceiling(stamp);
            long usedFrom = first == null ? stamp : first - random.nextInt(5);
            long seen = clock.nowTicks() + (random.nextInt(4) == 0 ? 1 : -random.nextInt(3));
            clock.reset(stamp, seen, usedFrom);
        }

        void restart() {
            clock = RangeClock.decode(clock.encode());
        }
    }

    @Property(tries = 2_000)
    void timestampsNeverRepeat(@ForAll long seed) {
        Random random = new Random(seed);
        Range range = new Range();
        Range neighbour = new Range();
        long now = 1_000;
        for (int i = 0; i < 200; i++) {
            now += random.nextInt(4);
            Range at = random.nextInt(4) == 0 ? neighbour : range;
            switch (random.nextInt(12)) {
                case 0 -> at.write(now + random.nextInt(300));
                case 1 -> at.reset(now, random);
                case 2 -> at.reset(now - random.nextInt(50), random);
                case 3 -> at.clock.advance(now + random.nextInt(300));
                case 4 -> at.restart();
                case 5 -> {
                    if (random.nextInt(20) == 0) {
                        range.clock.join(neighbour.clock);
                        range.given.addAll(neighbour.given);
                        neighbour = new Range();
                    }
                }
                default -> at.write(now);
            }
            assertThat(at.clock.usedAhead()).hasSizeLessThanOrEqualTo(RangeClock.INTERVALS_MAX);
        }
    }

    /** Else the other would show nothing: some writes are stamped with the present. */
    @Property(tries = 200)
    void nextTimestampIsTheStamp_afterResetBelowAllUsed(@ForAll long seed) {
        Random random = new Random(seed);
        Range range = new Range();
        range.write(1_000);
        for (int i = 0; i < 10; i++) {
            range.write(2_000 + random.nextInt(300));
        }
        range.reset(1_500, random);
        if (range.clock.nowTicks() == 1_500) {
            range.write(1_500);
            assertThat(range.given).contains(1_500L);
        }
    }
}
