package io.parterre.bench.cluster;

import io.parterre.bench.report.Figure;
import java.util.List;
import java.util.function.Consumer;

/** A sequence of actions on a cluster that is healthy before and after. Confined to one thread. */
public interface Course {
    /**
     * Runs the course.
     *
     * @param progress told of each step, as a line for people
     */
    List<Figure> run(Subject subject, Consumer<String> progress);
}
