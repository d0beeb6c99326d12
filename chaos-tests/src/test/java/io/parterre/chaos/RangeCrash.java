package io.parterre.chaos;

import static io.parterre.deploy.node.RoleName.PARTITION_MANAGER;
import static io.parterre.deploy.node.RoleName.PARTITION_SERVER;

import io.parterre.chaos.fault.RangeChange;
import io.parterre.deploy.node.RoleName;
import io.parterre.manager.raft.MapCrashPoint;
import io.parterre.server.crash.CrashPoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * An end of a process at a moment of a split or a merge that the product names.
 *
 * @param leading whether the server leads the range, or the left one of two
 * @param passage of the moment, from when the change is asked for; the first is 1
 */
record RangeCrash(
        RangeChange.Kind kind, RoleName role, String moment, boolean leading, int passage) {
    private static final Set<CrashPoint> OF_SPLITS =
            EnumSet.range(CrashPoint.SPLIT_APPLIED, CrashPoint.CHILD_LED);

    private static final List<CrashPoint> OF_MERGES =
            Stream.of(CrashPoint.values())
                    .filter(point -> point.name().startsWith("MERGE_"))
                    .toList();

    private static final Set<MapCrashPoint> OF_MANAGERS =
            EnumSet.range(MapCrashPoint.MAP_BEFORE_APPEND, MapCrashPoint.MAP_AFTER_APPLY);

    /** The change is begun, and the map follows what the servers have done. */
    private static final int ENTRIES_OF_A_CHANGE = 2;

    /** So many of them, each once before one comes again. */
    static List<RangeCrash> course(int count, SplittableRandom random) {
        List<RangeCrash> course = new ArrayList<>();
        while (course.size() < count) {
            List<RangeCrash> all = all();
            Collections.shuffle(all, new Random(random.nextLong()));
            course.addAll(all);
        }
        return course.subList(0, count);
    }

    private static List<RangeCrash> all() {
        List<RangeCrash> all = new ArrayList<>();
        for (boolean leading : new boolean[] {true, false}) {
            for (CrashPoint point : OF_SPLITS) {
                if (leading || point != CrashPoint.CHILD_LED) {
                    all.add(ofServer(RangeChange.Kind.SPLIT, point, leading));
                }
            }
            for (CrashPoint point : OF_MERGES) {
                all.add(ofServer(RangeChange.Kind.MERGE, point, leading));
            }
        }
        for (RangeChange.Kind kind : RangeChange.Kind.values()) {
            for (MapCrashPoint point : OF_MANAGERS) {
                for (int passage = 1; passage <= ENTRIES_OF_A_CHANGE; passage++) {
                    all.add(new RangeCrash(kind, PARTITION_MANAGER, point.name(), true, passage));
                }
            }
        }
        return all;
    }

    private static RangeCrash ofServer(RangeChange.Kind kind, CrashPoint point, boolean leading) {
        return new RangeCrash(kind, PARTITION_SERVER, point.name(), leading, 1);
    }
}
